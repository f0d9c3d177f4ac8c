//! Sequential requests on one connection.

use crate::upstream::content_length;
use std::io::{Read, Write};
use std::net::TcpStream;

pub fn connect(port: u16) -> TcpStream {
    let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_nodelay(true).unwrap();
    stream
}

/// Sends a request and reads the whole response.
pub fn exchange(stream: &mut TcpStream, line: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("{line} HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n", body.len());
    stream.write_all(&[head.as_bytes(), body].concat()).unwrap();
    let mut read = Vec::new();
    let mut part = vec![0; 64 * 1024];
    loop {
        let count = stream.read(&mut part).unwrap();
        assert!(count > 0, "closed after {}", String::from_utf8_lossy(&read));
        read.extend_from_slice(&part[..count]);
        let Some(end) = read.windows(4).position(|window| window == b"\r\n\r\n") else { continue };
        if read.len() == end + 4 + content_length(&read[..end]) {
            return read.split_off(end + 4);
        }
    }
}

/// Batch of distinct calls.
pub fn of(calls: usize) -> Vec<u8> {
    let call = |id: usize| {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"eth_getBlockByHash","params":["0x{id:064x}",false]}}"#)
    };
    format!("[{}]", (0..calls).map(call).collect::<Vec<_>>().join(",")).into_bytes()
}
