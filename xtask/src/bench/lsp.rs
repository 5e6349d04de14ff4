//! A language client that is just enough to time edits in the peers' servers.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::Result;
use crate::process::shown;
use crate::workspace::read;

/// How a server tells its diagnostics.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Diagnostics {
    /// It answers `workspace/diagnostic` for all files.
    Pulled,
    /// It publishes those of a file when it has them; the edited file comes first.
    Published,
}

/// A server that says nothing for so long has hung.
const PATIENCE: Duration = Duration::from_secs(240);

struct Client {
    name: String,
    child: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    requests: u64,
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The times from an edit in one function's body to the diagnostics that show it, sorted.
pub fn edits(
    server: &mut Command,
    kind: Diagnostics,
    project: &Path,
    file: &str,
    rounds: usize,
) -> Result<Vec<Duration>> {
    let text = read(&project.join(file))?;
    let root = format!("file://{}", project.display());
    let uri = format!("{root}/{file}");
    let mut client = Client::start(server, project)?;
    let started = client.request(
        "initialize",
        json!({
            "processId": std::process::id(),
            "rootUri": root,
            "workspaceFolders": [{"uri": root, "name": "bench"}],
            "initializationOptions": {"diagnosticMode": "workspace"},
            "capabilities": {
                "textDocument": {
                    "publishDiagnostics": {"versionSupport": true},
                    "diagnostic": {"dynamicRegistration": false},
                },
                "workspace": {
                    "configuration": true,
                    "workspaceFolders": true,
                    "diagnostics": {"refreshSupport": false},
                },
            },
        }),
    )?;
    client.answer(started)?;
    client.notify("initialized", json!({}))?;
    let document = json!({"uri": uri, "languageId": "python", "version": 1, "text": text});
    client.notify("textDocument/didOpen", json!({"textDocument": document}))?;
    let mut times = Vec::new();
    // One edit that nobody times: the server reads the workspace first.
    for round in 0..=rounds {
        let version = round + 2;
        let changed = json!({
            "textDocument": {"uri": uri, "version": version},
            "contentChanges": [{"text": broken(&text, round)?}],
        });
        let start = Instant::now();
        client.notify("textDocument/didChange", changed)?;
        let seen = match kind {
            Diagnostics::Pulled => {
                let asked =
                    client.request("workspace/diagnostic", json!({"previousResultIds": []}))?;
                client.answer(asked)?
            }
            Diagnostics::Published => client.published(&uri, version)?,
        };
        if round > 0 {
            times.push(start.elapsed());
        }
        // A figure for an edit that nobody notices would say nothing.
        if !has_error(&seen) {
            return Err(format!("{}: an edit is not seen: {seen}", client.name));
        }
    }
    times.sort();
    Ok(times)
}

/// Whether any diagnostic stands in an answer.
fn has_error(seen: &Value) -> bool {
    let lists = [&seen["diagnostics"], &seen["items"]];
    lists.iter().any(|list| {
        let list = list.as_array().into_iter().flatten();
        list.into_iter()
            .any(|item| item.get("message").is_some() || has_error(item))
    })
}

/// The file with a fault in one body, another one in each round.
fn broken(text: &str, round: usize) -> Result<String> {
    let line = text
        .lines()
        .find(|line| line.starts_with("        return scale(self.down.forward("))
        .ok_or("the module has no body to edit")?;
    let (call, _) = line
        .rsplit_once(", ")
        .ok_or("the body has no number to edit")?;
    Ok(text.replacen(line, &format!("{call}, \"round {round}\")"), 1))
}

impl Client {
    fn start(server: &mut Command, project: &Path) -> Result<Client> {
        let name = shown(server);
        let fault = |error: std::io::Error| format!("cannot run `{name}`: {error}");
        server.current_dir(project);
        server
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = server.spawn().map_err(fault)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("`{name}` has no pipes"));
        };
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = receive(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        Ok(Client {
            name,
            child,
            input,
            messages,
            requests: 0,
        })
    }

    fn send(&mut self, message: Value) -> Result<()> {
        let text = message.to_string();
        let written = write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len());
        written
            .and_then(|()| self.input.flush())
            .map_err(|error| format!("`{}` does not listen: {error}", self.name))
    }

    fn notify(&mut self, method: &str, params: Value) -> Result<()> {
        self.send(json!({"jsonrpc": "2.0", "method": method, "params": params}))
    }

    /// Asks; the number of the question.
    fn request(&mut self, method: &str, params: Value) -> Result<u64> {
        self.requests += 1;
        let id = self.requests;
        self.send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        Ok(id)
    }

    /// The next message that is no question of the server; those are answered.
    fn next(&mut self) -> Result<Value> {
        loop {
            let message = match self.messages.recv_timeout(PATIENCE) {
                Ok(message) => message,
                Err(RecvTimeoutError::Timeout) => return Err(format!("`{}` hangs", self.name)),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(format!("`{}` ended", self.name));
                }
            };
            let (Some(method), Some(id)) = (message["method"].as_str(), message.get("id")) else {
                return Ok(message);
            };
            let result = match method {
                "workspace/configuration" => {
                    let items = message["params"]["items"].as_array().map_or(1, Vec::len);
                    let settings = json!({
                        "diagnosticMode": "workspace",
                        "analysis": {"diagnosticMode": "workspace"},
                    });
                    Value::Array(vec![settings; items])
                }
                _ => Value::Null,
            };
            self.send(json!({"jsonrpc": "2.0", "id": id, "result": result}))?;
        }
    }

    /// The answer to a question.
    fn answer(&mut self, id: u64) -> Result<Value> {
        loop {
            let mut message = self.next()?;
            if message["id"].as_u64() == Some(id) {
                if let Some(error) = message.get("error") {
                    return Err(format!("`{}` refuses: {error}", self.name));
                }
                return Ok(message["result"].take());
            }
        }
    }

    /// What is published of a file in this version or a later one.
    fn published(&mut self, uri: &str, version: usize) -> Result<Value> {
        loop {
            let mut message = self.next()?;
            let params = &message["params"];
            let is_this = message["method"] == "textDocument/publishDiagnostics"
                && params["uri"] == uri
                && params["version"].as_u64() >= Some(version as u64);
            if is_this {
                return Ok(message["params"].take());
            }
        }
    }
}

/// One message, or `None` at the end.
fn receive(output: &mut impl BufRead) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("Content-Length:") {
            length = value.trim().parse().ok();
        }
    }
    let mut body = vec![0; length?];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_one_after_the_other() {
        let text = "Content-Length: 8\r\n\r\n{\"a\": 1}Content-Length: 2\r\nX: y\r\n\r\n{}";
        let mut output = text.as_bytes();
        assert_eq!(receive(&mut output), Some(json!({"a": 1})));
        assert_eq!(receive(&mut output), Some(json!({})));
        assert_eq!(receive(&mut output), None);
    }

    #[test]
    fn errors_are_found_in_both_forms() {
        assert!(has_error(&json!({"diagnostics": [{"message": "m"}]})));
        assert!(has_error(
            &json!({"items": [{"items": [{"message": "m"}]}]})
        ));
        assert!(!has_error(&json!({"items": [{"items": []}]})));
    }

    #[test]
    fn each_round_has_its_fault() {
        let text = "    def feed(x):\n        return scale(self.down.forward(f(x)), 1.49)\n";
        let one = broken(text, 1).expect("a body");
        assert!(one.contains("f(x)), \"round 1\")"), "{one}");
        assert_ne!(one, broken(text, 2).expect("a body"));
    }
}
