//! The text form and the binary form of the IR: what the compiler makes of programs is written, read back and the same.

use clforge_ir::encode::{decode_module, encode_module};
use clforge_ir::{print::print, read::read};

/// What the compiler makes of programs, before and after the passes.
#[test]
fn compiled_programs_are_read_as_they_were_written() {
    let programs = [
        "kernel void k(global int *p, local float4 *l, int n, char16 c) {
           switch (n) { case 1: p[0] = 1; case 2: p[1] = 2; break; default: for (int i = 0; i < n; i++) p[i] += c.s3; }
           l[get_local_id(0)] = (float4)(sin((float)n), 1.0f, 2.0f, 3.0f);
           barrier(CLK_LOCAL_MEM_FENCE);
           atomic_add(p, (int)l[0].x);
         }",
        "constant int table[3] = {1, 2, 3};
         struct s { int a; float b[2]; };
         int f(struct s *s, int i) { if (i < 0) return s->a; while (i--) s->a += table[i % 3]; return s->b[1]; }
         kernel void k(global int *p, struct s s) { p[get_global_id(0)] = f(&s, p[0]); }",
    ];
    for target in ["vulkan1.2", "opencl1.2"] {
        for text in programs {
            let target = clforge_compiler::Target::parse(target).expect("a target");
            let options = clforge_compiler::Options::for_target(target);
            let source = clforge_compiler::Source { name: "test.cl", text: text.as_bytes() };
            let printed = clforge_compiler::print_stage(source, &options, clforge_compiler::Stage::Ir)
                .unwrap_or_else(|all| panic!("{all}"));
            let module = read(&printed).unwrap_or_else(|message| panic!("{message}\n{printed}"));
            assert_eq!(print(&module), printed);
            let bytes = encode_module(&module);
            let decoded = decode_module(&bytes).unwrap_or_else(|error| panic!("{error}\n{printed}"));
            assert_eq!(print(&decoded), printed);
            assert_eq!(encode_module(&decoded), bytes);
        }
    }
}
