use super::*;

#[test]
fn spec_5_7_and_5_8_an_evm_send_needs_token_amount_and_receiver_and_the_coin_a_gas_price_and_decimals_too() {
    assert_eq!(check_evm(true, true, "1", "0x1", true, Some(18)), Ok(()));
    for native in [true, false] {
        for incomplete in [
            check_evm(false, native, "1", "0x1", true, Some(18)),
            check_evm(true, native, "", "0x1", true, Some(18)),
            check_evm(true, native, "1", "", true, Some(18)),
        ] {
            assert_eq!(incomplete, Err(FormFault));
        }
        for without in
            [check_evm(true, native, "1", "0x1", false, Some(18)), check_evm(true, native, "1", "0x1", true, None)]
        {
            assert_eq!(without.is_err(), native);
        }
    }
}

#[test]
fn spec_5_9_a_solana_send_needs_amount_and_receiver() {
    assert_eq!(check_solana("1", "7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE"), Ok(()));
    assert_eq!(check_solana("", "a"), Err(FormFault));
    assert_eq!(check_solana("1", ""), Err(FormFault));
}

#[test]
fn spec_5_10_otherwise_the_error_says_please_enter_a_valid_amount_and_receiver_address() {
    assert_eq!(FormFault.to_string(), "Please enter a valid amount and receiver address");
    assert_eq!(FormFault.to_string(), Message::EnterValidAmountAndReceiver.text());
}

#[test]
fn spec_5_11_gas_is_insufficient_when_the_balance_is_zero_or_below_the_gas_and_smart_accounts_are_exempt() {
    let amount = |number: u32| Amount::from(number);
    for price in [None, "3000.5".parse().ok(), "0.000000000001".parse().ok()] {
        assert!(is_gas_insufficient(amount(0), amount(0), price, false));
        assert!(is_gas_insufficient(amount(9), amount(10), price, false));
        assert!(!is_gas_insufficient(amount(10), amount(10), price, false));
        assert!(!is_gas_insufficient(amount(0), amount(10), price, true));
    }
}

#[test]
fn spec_9_19_the_base_fee_multiplier_is_1_2() {
    assert_eq!(with_margin(Amount::from(100u32)), Some(Amount::from(120u32)));
}

#[test]
fn a_node_that_says_in_words_that_a_transfer_would_fail_is_understood() {
    let facts = Facts::default();
    for (code, message, fails) in [(-32000, "execution reverted", true), (-32000, "header not found", false)] {
        let (mut send, mut cx) = (Send::default(), Cx::new(0, &facts));
        send.answered(Reason::GasLimit(0), Err(RpcError::new(code, message)), &mut cx);
        assert_eq!(send.reverts, fails, "{message}");
    }
}
