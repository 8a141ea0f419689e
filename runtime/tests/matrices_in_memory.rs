//! Emulated cooperative matrices in private memory, which lavapipe only gets without its tuning.

mod common;

use clforge_compiler::Options;
use clforge_compiler::options::ClStd;
use clforge_compiler::tuning::Tuning;
use clforge_runtime::{Arg, Buffer, Launch, Program};
use common::device;

/// Two sums change places in each iteration, some of them doubled.
const SOURCE: &str = "
#define ROWS CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR
#define COLUMNS CLK_COOPERATIVE_MATRIX_LAYOUT_COLUMN_MAJOR
#define MATRIX(rows, columns, use) \
    __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, rows, columns, CLK_COOPERATIVE_MATRIX_##use)))
kernel void sums(global const char *a, global const uchar *b, global int *c, uint count) {
    int MATRIX(16, 16, ACCUMULATOR) x = coop_mat_init(1), y = coop_mat_load(c, ROWS, 16);
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (uint i = 0; i < count; i++) {
        char MATRIX(16, 32, A) left = coop_mat_load(a + i * 512, ROWS, 32);
        uchar MATRIX(32, 16, B) right = coop_mat_load(b + i * 512, COLUMNS, 32);
        int MATRIX(16, 16, ACCUMULATOR) next;
        next = coop_mat_mulAdd(left, right, x);
        if (i % 3 == 1) x = y + y; else x = y;
        y = next;
    }
    coop_mat_store(c, x, ROWS, 16);
    coop_mat_store(c + 256, y, COLUMNS, 16);
}";

/// What the kernel computes: 16 rows of `x`, and 16 columns of `y`.
fn expected(a: &[i8], b: &[u8], c: &[i32], count: usize) -> Vec<i32> {
    let (mut x, mut y) = (vec![1; 256], c[..256].to_vec());
    for i in 0..count {
        let product = |row: usize, column: usize| -> i32 {
            let terms = (0..32).map(|k| i32::from(a[i * 512 + row * 32 + k]) * i32::from(b[i * 512 + column * 32 + k]));
            terms.sum()
        };
        let next = (0..256).map(|at| x[at] + product(at / 16, at % 16)).collect();
        x = y.iter().map(|part| if i % 3 == 1 { part + part } else { *part }).collect();
        y = next;
    }
    x.into_iter().chain((0..256).map(|at| y[at % 16 * 16 + at / 16])).collect()
}

#[test]
fn sums_that_change_places() {
    let device = device(false);
    let mut options = device.0.tuned(&Options::default().with_cl_std(ClStd::CL3_0));
    options.codegen.tuning.remove(Tuning::LAVAPIPE_MATRIX_VALUES);
    let program = Program::from_source(&device.0, SOURCE, &options).unwrap();
    let count = 5u32;
    let a: Vec<i8> = (0..5 * 512).map(|at| i8::try_from(at * 7 % 251 - 125).unwrap()).collect();
    let b: Vec<u8> = (0..5 * 512).map(|at| u8::try_from(at * 11 % 241).unwrap()).collect();
    let c: Vec<i32> = (0..512).map(|at| at * 3 - 700).collect();
    let (first, second) = (Buffer::from_slice(&device.0, &a).unwrap(), Buffer::from_slice(&device.0, &b).unwrap());
    let sums = Buffer::from_slice(&device.0, &c).unwrap();
    let size = u64::from(device.0.info().limits.subgroup_size);
    let launch = Launch::new(&[size]).local(&[size]);
    let arguments = [Arg::Buffer(&first), Arg::Buffer(&second), Arg::Buffer(&sums), Arg::pod(&count)];
    program.kernel("sums").unwrap().launch(&launch, &arguments).unwrap();
    assert_eq!(sums.to_vec_of::<i32>().unwrap(), expected(&a, &b, &c, 5));
}
