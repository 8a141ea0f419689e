//! A quadtree whose nodes enqueue their children.

use super::{Arg, Check, Job, Launch, linear};
use crate::data::{Random, bytes, mismatches, values};

const COUNT: usize = 10_000;
/// Most points of a leaf above the last level.
const MOST: usize = 32;
const LEVELS: i32 = 16;
/// Room for nodes.
const NODES: usize = 20_000;
/// `LOCAL` of the kernel.
const LOCAL: u32 = 64;

/// A node, as in the kernel: its first point, points, children, depth.
type Node = [i32; 4];

pub fn job() -> Job {
    let mut random = Random::new(23);
    // Most are in one corner; one place has more than a leaf.
    let mut points: Vec<u32> =
        (0..COUNT - 40).map(|i| random.bits() & if i % 4 > 0 { 0x0fff_0fff } else { u32::MAX }).collect();
    points.extend([0x1234_5678; 40]);
    let mut expected = Vec::new();
    nodes(&points, 0, 0, &mut expected);
    let mut root: Vec<i32> = vec![0; 4 * NODES];
    root[1] = COUNT as i32;
    let all = points.clone();
    Job {
        buffers: vec![bytes(&points), vec![0; 4 * COUNT], vec![0; 4 * COUNT], bytes(&root), bytes(&[1i32])],
        launches: vec![Launch {
            kernel: "quadtree".into(),
            range: linear(LOCAL.into(), LOCAL),
            args: vec![
                Arg::Buffer(0),
                Arg::Buffer(1),
                Arg::Buffer(2),
                Arg::Buffer(3),
                Arg::Buffer(4),
                Arg::pod(MOST as i32),
                Arg::Local(16),
            ],
        }],
        check: Box::new(move |buffers| Check { max_error: differences(buffers, &all, &expected), tolerance: 0.0 }),
    }
}

/// The nodes below one, in order, each as its first point, its points and its depth.
fn nodes(points: &[u32], first: i32, depth: i32, to: &mut Vec<[i32; 3]>) {
    to.push([first, points.len() as i32, depth]);
    if points.len() <= MOST || depth == LEVELS {
        return;
    }
    let bit = 15 - depth;
    let mut first = first;
    for quarter in 0..4 {
        let is_inside = |point: &&u32| (**point >> (16 + bit) & 1) * 2 + (**point >> bit & 1) == quarter;
        let inside: Vec<u32> = points.iter().filter(is_inside).copied().collect();
        nodes(&inside, first, depth + 1, to);
        first += inside.len() as i32;
    }
}

/// How many nodes and points differ. The order of nodes in memory, and of points in a leaf, is any.
fn differences(buffers: &[Vec<u8>], points: &[u32], expected: &[[i32; 3]]) -> f64 {
    let (sorted, flat): (Vec<u32>, Vec<i32>) = (values(&buffers[2]), values(&buffers[3]));
    let nodes: Vec<Node> = flat.as_chunks::<4>().0.to_vec();
    let mut found = Vec::new();
    let mut leaves_differ = 0.0;
    walk(&nodes, 0, &mut |node| {
        found.push([node[0], node[1], node[3]]);
        let all = sorted.get(node[0] as usize..(node[0] + node[1]) as usize).unwrap_or_default();
        // All points of a node begin with the same bits.
        let kept = 16 - node[3].clamp(0, 16);
        let prefix = |point: u32| (point >> 16 >> kept, (point & 0xffff) >> kept);
        leaves_differ += f64::from(u8::from(all.windows(2).any(|pair| prefix(pair[0]) != prefix(pair[1]))));
    });
    let in_order = |points: &[u32]| {
        let mut points = points.to_vec();
        points.sort_unstable();
        points
    };
    leaves_differ + mismatches(&found, expected) + mismatches(&in_order(&sorted), &in_order(points))
}

/// Visits a node and those below it, as far as they are in the array.
fn walk(nodes: &[Node], number: usize, visit: &mut dyn FnMut(&Node)) {
    let Some(node) = nodes.get(number) else { return };
    visit(node);
    // Children are behind their parents.
    if node[2] as usize > number {
        (0..4).for_each(|quarter| walk(nodes, node[2] as usize + quarter, visit));
    }
}
