//! Code that `device_test` and `device_bench`, the programs for other machines, share.

use std::process::ExitCode;

/// The name of a file with results: that of the device and its driver, without what stands in parentheses.
pub fn file_name(device: &str, driver: &str) -> String {
    let mut name = String::new();
    let mut depth = 0;
    for c in format!("{device} {driver}").chars() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            c if depth == 0 && (c.is_ascii_alphanumeric() || c == '.') => name.push(c.to_ascii_lowercase()),
            _ if !name.is_empty() && !name.ends_with('-') => name.push('-'),
            _ => {}
        }
    }
    format!("{}.json", name.trim_end_matches('-'))
}

/// The exit code of a program that found out whether all is right; an error is printed.
pub fn exit_code(outcome: Result<bool, String>) -> ExitCode {
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
