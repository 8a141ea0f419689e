//! Sparse matrix times vector in compressed sparse row form, a work-item a row and a group of lanes a row.

use super::{Arg, Check, Job, Launch, NdRange, linear, plane};
use crate::data::{Random, bytes, relative_error, values};

const ROWS: usize = 301;
const COLUMNS: usize = 400;

#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct Args {
    rows: u32,
    alpha: f32,
    beta: f32,
}

pub fn job() -> Job {
    let mut random = Random::new(14);
    let mut row_start = vec![0u32];
    let mut column = Vec::new();
    let mut value = Vec::new();
    for _ in 0..ROWS {
        // Lengths from 0 to 60: empty rows and rows longer than the lanes of a group.
        for _ in 0..random.below(61) {
            column.push(random.below(COLUMNS as u32));
            value.push(random.float(-1.0, 1.0));
        }
        row_start.push(column.len() as u32);
    }
    let x = random.floats(COLUMNS, -1.0, 1.0);
    let y = random.floats(ROWS, -1.0, 1.0);
    let args = Args { rows: ROWS as u32, alpha: 1.5, beta: -0.5 };
    let expected: Vec<f64> = (0..ROWS)
        .map(|row| {
            let entries = row_start[row] as usize..row_start[row + 1] as usize;
            let sum: f64 = entries.map(|k| f64::from(value[k]) * f64::from(x[column[k] as usize])).sum();
            1.5 * sum - 0.5 * f64::from(y[row])
        })
        .collect();
    let launch = |kernel: &'static str, y, range: NdRange| Launch {
        kernel: kernel.into(),
        range,
        args: [0, 1, 2, 3, y].map(Arg::Buffer).into_iter().chain([Arg::pod(args)]).collect(),
    };
    Job {
        buffers: vec![bytes(&row_start), bytes(&column), bytes(&value), bytes(&x), bytes(&y), bytes(&y)],
        launches: vec![
            launch("spmv_scalar", 4, linear(ROWS.next_multiple_of(64) as u64, 64)),
            launch("spmv_vector", 5, plane([16, ROWS.next_multiple_of(4) as u64], [16, 4])),
        ],
        check: Box::new(move |buffers| Check {
            max_error: relative_error(&values(&buffers[4]), &expected, 1.0).max(relative_error(
                &values(&buffers[5]),
                &expected,
                1.0,
            )),
            tolerance: 1e-5,
        }),
    }
}
