use super::*;
use portico_encoding::hex::{decode, encode};

/// The first payment of the chain, in block 170.
const FIRST: &str = "0100000001c997a5e56e104102fa209c6a852dd90660a20b2d9c352423edce25857fcd3704000000004847304402204e45e16932b8af514961a1d3a1a25fdf3f4f7732e9d624c6c61548ab5fb8cd410220181522ec8eca07de4860a4acdd12909d831cc56cbbac4622082221a8768d1d0901ffffffff0200ca9a3b00000000434104ae1a62fe09c5f51b13905f07f06b99a2f7159b2225f374cd378d71302fa28414e7aab37397f554a7df5f142c21c1b7303b8a0626f1baded5c72a704f7e6cd84cac00286bee0000000043410411db93e1dcdb8a016b49840f8c53bc1eb68a382e97b1482ecad7b148a6909a5cb2e0eaddfb84ccf9744464f82e160bfa9b8b64f9d4c03f999b8643f656b412a3ac00000000";

/// Payments of an independent library, each from an address of another kind.
struct Vector {
    kind: Kind,
    key: Vec<u8>,
    previous: Vec<u8>,
    payment: Payment,
    unsigned: Vec<u8>,
    signed: Vec<u8>,
    finished: Vec<u8>,
    bytes: Vec<u8>,
    id: String,
    vsize: u64,
}

fn vectors() -> Vec<Vector> {
    let file: serde_json::Value =
        serde_json::from_str(include_str!("../../../../fixtures/bitcoin/payments.json")).unwrap();
    let receiver = Address::parse(file["receiver"].as_str().unwrap()).unwrap().kind;
    let read = |vector: &serde_json::Value| {
        let bytes = |name: &str| decode(vector[name].as_str().unwrap()).unwrap();
        let kind = Address::parse(vector["address"].as_str().unwrap()).unwrap().kind;
        let previous = bytes("previous");
        let spent = OutPoint { transaction: Previous::read(&previous).unwrap().id, index: 0 };
        let output = |satoshis, kind: &Kind| Output { satoshis, script: kind.script() };
        Vector {
            payment: Payment { inputs: vec![spent], outputs: vec![output(60_000, &receiver), output(39_000, &kind)] },
            kind,
            key: bytes("key"),
            previous,
            unsigned: bytes("unsigned"),
            signed: bytes("signed"),
            finished: bytes("finished"),
            bytes: bytes("bytes"),
            id: vector["id"].as_str().unwrap().into(),
            vsize: vector["vsize"].as_u64().unwrap(),
        }
    };
    file["payments"].as_array().unwrap().iter().map(read).collect()
}

fn vector(wanted: impl Fn(&Kind) -> bool) -> Vector {
    vectors().into_iter().find(|vector| wanted(&vector.kind)).unwrap()
}

fn witness_vector() -> Vector {
    vector(|kind| matches!(kind, Kind::P2wpkh(_)))
}

#[test]
fn the_id_of_a_transaction_follows_from_its_bytes_without_the_witnesses() {
    let first = Previous::read(&decode(FIRST).unwrap()).unwrap();
    assert_eq!(id_text(&first.id), "f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16");
    let amounts: Vec<u64> = first.outputs.iter().map(|output| output.satoshis).collect();
    assert_eq!(amounts, [1_000_000_000, 4_000_000_000]);
    for Vector { bytes, id, payment, .. } in vectors() {
        let read = Previous::read(&bytes).unwrap();
        assert_eq!((id_text(&read.id), read.outputs), (id, payment.outputs));
    }
}

#[test]
fn bytes_that_are_cut_or_that_have_more_behind_are_no_transaction() {
    for bytes in [decode(FIRST).unwrap(), witness_vector().bytes] {
        for end in 0..bytes.len() {
            assert_eq!(Previous::read(&bytes[..end]), None, "{end}");
        }
        assert_eq!(Previous::read(&[bytes, vec![0]].concat()), None);
    }
    // More satoshis than there can ever be, and a number of inputs without end.
    let rich = FIRST.replacen("00ca9a3b00000000", "ffffffffffffff7f", 1);
    assert_eq!(Previous::read(&decode(&rich).unwrap()), None);
    assert_eq!(Previous::read(&decode("01000000feffffffff").unwrap()), None);
    assert_eq!(Previous::read(&vec![0; LARGEST + 1]), None);
}

#[test]
fn the_psbt_is_that_of_an_independent_library() {
    for Vector { kind, key, previous, payment, unsigned: theirs, .. } in vectors() {
        let output = Previous::read(&previous).unwrap().outputs.remove(0);
        let funding = [Funding { previous: &previous, output: &output }];
        let ours = unsigned(&payment, &kind, Some(&key), &funding).unwrap();
        assert_eq!(encode(&ours), encode(&theirs), "{kind:?}");
    }
}

#[test]
fn a_nested_address_is_not_paid_from_without_its_own_key() {
    let Vector { kind, previous, payment, .. } = vector(|kind| matches!(kind, Kind::P2sh(_)));
    let output = Previous::read(&previous).unwrap().outputs.remove(0);
    let funding = [Funding { previous: &previous, output: &output }];
    assert_eq!(unsigned(&payment, &kind, None, &funding), None);
    assert_eq!(unsigned(&payment, &kind, Some(&[2; 33]), &funding), None);
}

#[test]
fn signed_and_finished_answers_become_the_transaction_of_an_independent_library() {
    for Vector { kind, payment, signed, finished, bytes, id, .. } in vectors() {
        for answer in [&signed, &finished] {
            let (ours, own) = complete(&payment, &kind, answer).unwrap();
            assert_eq!((encode(&ours), id_text(&own)), (encode(&bytes), id.clone()), "{kind:?}");
        }
    }
}

#[test]
fn the_weight_that_is_paid_for_is_that_of_the_longest_signature() {
    for Vector { kind, payment, vsize, .. } in vectors() {
        let outputs: u64 = payment.outputs.iter().map(|output| 4 * (9 + output.script.len() as u64)).sum();
        let counted = (42 + kind.input_weight().unwrap() + outputs).div_ceil(4);
        // A signature is up to two bytes shorter, and one without a witness has no marker.
        assert!((vsize..=vsize + 2).contains(&counted), "{kind:?} {counted} {vsize}");
    }
}

#[test]
fn an_answer_about_another_transaction_is_refused() {
    let Vector { kind, payment, signed, .. } = witness_vector();
    let mut more = payment.clone();
    more.outputs[0].satoshis += 1;
    assert_eq!(complete(&more, &kind, &signed), Err(SignFault::Changed));
    let mut other = payment.clone();
    other.inputs[0].index += 1;
    assert_eq!(complete(&other, &kind, &signed), Err(SignFault::Changed));
    for end in 0..signed.len() {
        assert_eq!(complete(&payment, &kind, &signed[..end]), Err(SignFault::Changed), "{end}");
    }
    assert_eq!(complete(&payment, &kind, &[signed, vec![0]].concat()), Err(SignFault::Changed));
}

/// PSBT of a payment with these entries of its only input.
fn answer(payment: &Payment, entries: &[(&[u8], &[u8])]) -> Vec<u8> {
    let pair = |(name, value): &(&[u8], &[u8])| [&[name.len() as u8][..], name, &[value.len() as u8], value].concat();
    let entries: Vec<u8> = entries.iter().flat_map(pair).collect();
    let bytes = payment.bytes(&[]);
    [b"psbt\xff\x01\x00", &[bytes.len() as u8][..], &bytes, &[0], &entries, &[0, 0, 0]].concat()
}

#[test]
fn signatures_that_leave_the_payment_open_or_are_of_other_keys_are_refused() {
    let Vector { kind, key, payment, .. } = witness_vector();
    let of = |last: u8| [&[0x30; 70][..], &[last]].concat();
    let name = [&[2], key.as_slice()].concat();
    let good = answer(&payment, &[(&name, &of(1))]);
    assert!(complete(&payment, &kind, &good).is_ok());
    // NONE, SINGLE, and ALL with inputs that anybody may add (BIP-143).
    for other in [0, 2, 3, 0x81] {
        assert_eq!(complete(&payment, &kind, &answer(&payment, &[(&name, &of(other))])), Err(SignFault::Unsigned));
    }
    let stranger = [&[2], [2; 33].as_slice()].concat();
    assert_eq!(complete(&payment, &kind, &answer(&payment, &[(&stranger, &of(1))])), Err(SignFault::Unsigned));
    assert_eq!(complete(&payment, &kind, &answer(&payment, &[])), Err(SignFault::Unsigned));
    assert_eq!(complete(&payment, &kind, &answer(&payment, &[(&name, &[1; 80])])), Err(SignFault::Unsigned));
    // A witness with more than signature and key.
    let long = [&[3, 1, 1, 71][..], &of(1), &[33], &key].concat();
    assert_eq!(complete(&payment, &kind, &answer(&payment, &[(&[8], &long)])), Err(SignFault::Unsigned));
    let taproot = Kind::P2tr([7; 32]);
    for (signature, whole) in
        [(vec![5; 64], true), ([&[5; 64][..], &[1]].concat(), true), ([&[5; 64][..], &[2]].concat(), false)]
    {
        let told = complete(&payment, &taproot, &answer(&payment, &[(&[0x13], &signature)]));
        assert_eq!(told.is_ok(), whole);
    }
}
