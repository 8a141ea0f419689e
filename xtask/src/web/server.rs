//! A small server for the page on this machine: it sends files of a folder, and takes the page's report.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// The most bytes of a report.
const MAX_REPORT: u64 = 64 << 20;
/// How long a connection may be silent: browsers open some that they do not use.
const SILENCE: Duration = Duration::from_secs(30);

/// A server that runs as long as the program.
pub struct Server {
    pub port: u16,
    reports: Receiver<String>,
}

impl Server {
    /// Serves a folder. `port`: 0 for any that is free.
    pub fn start(folder: PathBuf, port: u16) -> Result<Server, String> {
        let fail = |error: std::io::Error| format!("a server at port {port}: {error}");
        let listener = TcpListener::bind(("127.0.0.1", port)).map_err(fail)?;
        let port = listener.local_addr().map_err(fail)?.port();
        let (sender, reports) = channel();
        std::thread::spawn(move || {
            for connection in listener.incoming().filter_map(Result::ok) {
                let (folder, sender) = (folder.clone(), sender.clone());
                // A connection that breaks off is the browser's business: it asks again, or the report does not come.
                std::thread::spawn(move || answer(connection, &folder, &sender));
            }
        });
        Ok(Server { port, reports })
    }

    /// The page's report, if it comes in this time.
    pub fn report_within(&self, time: Duration) -> Option<String> {
        self.reports.recv_timeout(time).ok()
    }
}

/// Answers one request.
fn answer(connection: TcpStream, folder: &Path, reports: &Sender<String>) -> std::io::Result<()> {
    connection.set_read_timeout(Some(SILENCE))?;
    let mut reader = BufReader::new(&connection);
    let mut request = String::new();
    reader.read_line(&mut request)?;
    let length = content_length(&mut reader)?;
    let mut words = request.split_whitespace();
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let (status, kind, body) = match method {
        "GET" => file(folder, target),
        "POST" if target == "/result" => {
            let mut report = String::new();
            reader.by_ref().take(length.min(MAX_REPORT)).read_to_string(&mut report)?;
            // Nobody waits for a second report.
            let _ = reports.send(report);
            ("204 No Content", "text/plain", Vec::new())
        }
        _ => ("405 Method Not Allowed", "text/plain", Vec::new()),
    };
    let head = format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n", body.len());
    let mut writer = &connection;
    writer.write_all(format!("{head}Cache-Control: no-store\r\nConnection: close\r\n\r\n").as_bytes())?;
    writer.write_all(&body)
}

/// Reads the head of a request to its end.
fn content_length(reader: &mut impl BufRead) -> std::io::Result<u64> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            return Ok(length);
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap_or(0);
        }
    }
}

/// A file of the folder itself: status, type and contents.
fn file(folder: &Path, target: &str) -> (&'static str, &'static str, Vec<u8>) {
    let path = target.split('?').next().unwrap_or_default();
    let name = if path == "/" { "index.html" } else { path.trim_start_matches('/') };
    let kind = match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        _ => "text/plain; charset=utf-8",
    };
    let contents = if name.contains(['/', '\\', ':']) { None } else { std::fs::read(folder.join(name)).ok() };
    contents.map_or(("404 Not Found", "text/plain", Vec::new()), |contents| ("200 OK", kind, contents))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(port: u16, request: &str) -> String {
        let mut connection = TcpStream::connect(("127.0.0.1", port)).unwrap();
        connection.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        connection.read_to_string(&mut answer).unwrap();
        answer
    }

    #[test]
    fn files_and_reports() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("index.html"), "a page").unwrap();
        let server = Server::start(folder.path().into(), 0).unwrap();
        let page = ask(server.port, "GET /?a=b HTTP/1.1\r\n\r\n");
        assert!(page.starts_with("HTTP/1.1 200 OK\r\nContent-Type: text/html") && page.ends_with("\r\n\r\na page"));
        assert!(ask(server.port, "GET /../a HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 404"));
        assert_eq!(server.report_within(Duration::ZERO), None);
        let answer = ask(server.port, "POST /result HTTP/1.1\r\ncontent-length: 4\r\n\r\ndone");
        assert!(answer.starts_with("HTTP/1.1 204"));
        assert_eq!(server.report_within(SILENCE).as_deref(), Some("done"));
    }
}
