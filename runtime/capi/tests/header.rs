//! The header agrees with the sources. `CLFORGE_BLESS=1` writes it.

use std::path::Path;

#[test]
fn the_header_is_that_of_the_sources() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).expect("cbindgen.toml");
    let mut builder = cbindgen::Builder::new().with_config(config);
    for source in ["types.rs", "result.rs", "boundary.rs"] {
        builder = builder.with_src(folder.join("src").join(source));
    }
    let mut made = Vec::new();
    builder.generate().expect("the sources declare an interface").write(&mut made);
    let made = String::from_utf8(made).expect("text");
    let path = folder.join("include/clforge.h");
    if std::env::var_os("CLFORGE_BLESS").is_some() {
        std::fs::write(&path, &made).expect("the header is written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == made, "CLFORGE_BLESS=1 cargo test -p clforge-capi --test header writes this header:\n{made}");
}
