//! Shares of visitors in subscriptions to signatures of Solana.

use super::{ABUSER, BEHIND_A_PROXY, NEIGHBOUR};
use crate::support::signature::{
    SIGNATURE_SOCKET, SolanaNode, accepted, confirmed, event, outcome, serving, subscribe,
};
use serde_json::json;

#[tokio::test]
async fn a_visitor_waits_for_so_many_signatures_its_neighbour_for_the_same_and_one_that_is_told_makes_room() {
    let node = SolanaNode::start().await;
    let serving = serving(&format!("{BEHIND_A_PROXY}rpc.subscriptions_total = 16\n"), &[&node]).await;
    let visitor = async |address: &str| serving.open_with(SIGNATURE_SOCKET, &[("x-forwarded-for", address)]).await;
    let mut abused = [visitor(ABUSER).await, visitor(ABUSER).await, visitor(ABUSER).await];
    let mut neighbour = visitor(NEIGHBOUR).await;
    let [first, second, third] = &mut abused;
    first.say(&subscribe(1)).await;
    let mut line = node.connection().await;
    line.accept(11).await;
    let one = accepted(first).await;
    second.say(&subscribe(2)).await;
    line.accept(12).await;
    accepted(second).await;
    third.say(&subscribe(3)).await;
    let answer = third.next().await.unwrap();
    assert_eq!(answer["error"]["message"], "You have too many subscriptions. End one first.", "{answer}");
    for (number, name) in [(3, 13), (4, 14)] {
        neighbour.say(&subscribe(number)).await;
        assert_eq!(line.accept(name).await, confirmed(number));
        accepted(&mut neighbour).await;
    }
    line.tell(11, &outcome(1, &json!(null))).await;
    assert_eq!(first.next().await, Ok(event(one, &outcome(1, &json!(null)))));
    third.say(&subscribe(5)).await;
    line.accept(15).await;
    accepted(third).await;
}
