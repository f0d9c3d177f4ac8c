//! Shares of visitors in the relay's answers.

use super::{ABUSER, BEHIND_A_PROXY, NEIGHBOUR, post};
use crate::support::relay::{RELAY, message, path, topic};
use crate::support::{Server, status_and_text};
use axum::body::Body;
use axum::http::{Response, StatusCode};
use serde_json::{Value, json};

async fn ask(server: &Server, visitor: &str, key: u8, method: &str, params: &Value) -> Response<Body> {
    let asked = json!({"id": 1_700_000_000_000_000_000_u64, "jsonrpc": "2.0", "method": method, "params": params});
    post(server, visitor, &path(key).replace("/?", "/relay/rpc?"), asked.to_string()).await
}

#[tokio::test]
async fn pages_that_a_visitor_does_not_read_count_in_its_memory_and_leave_its_neighbour_room() {
    let relay = RELAY.replace("limits.client_per_second = 0\n", "");
    let server = Server::configured(&format!("max_body_memory_mib = 4\n{BEHIND_A_PROXY}{relay}")).await;
    for letter in ["a", "b", "c"] {
        let sent = ask(&server, ABUSER, 1, "irn_publish", &message(&topic(1), &letter.repeat(200_000))).await;
        assert_eq!(status_and_text(sent).await.0, StatusCode::OK);
    }
    let fetch = async |visitor, key| ask(&server, visitor, key, "irn_fetchMessages", &json!({"topic": topic(1)})).await;
    // A page has more than half of what one visitor may have, and seven would fill the memory of all.
    let mut unread = vec![fetch(ABUSER, 2).await];
    for key in 3..10 {
        let refused = fetch(ABUSER, key).await;
        assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
        unread.push(refused);
    }
    let (status, page) = status_and_text(fetch(NEIGHBOUR, 20).await).await;
    assert_eq!((status, page.len() > 600_000), (StatusCode::OK, true));
    drop(unread);
    // What was refused has stayed in the mailbox.
    let (status, page) = status_and_text(fetch(ABUSER, 3).await).await;
    assert_eq!((status, page.len() > 600_000), (StatusCode::OK, true));
}
