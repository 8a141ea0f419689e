//! Link options of the library.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // The loader exports functions of the same names. Without this the dynamic linker would bind the entries of our dispatch
    // table to the loader's, which call the dispatch table.
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system != "windows" && system != "macos") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-Bsymbolic");
        // Threads of ours may be alive when a program closes the library: its code must stay.
        println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
}
