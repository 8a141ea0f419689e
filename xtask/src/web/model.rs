//! What the kernels of the example compute, in doubles on the host: written from the model's equations.

/// What is computed.
pub struct Setting {
    pub width: u32,
    pub height: u32,
    pub seed: u32,
    /// About one in so many squares of 8 cells has a mixture at first.
    pub rarity: u32,
    /// Even.
    pub steps: u32,
    pub feed: f32,
    pub kill: f32,
}

/// The result.
pub struct Expected {
    /// u and v of each cell.
    pub cells: Vec<f64>,
    /// Red, green, blue and opacity of each pixel.
    pub pixels: Vec<f64>,
    /// Of v.
    pub mean: f64,
}

/// The radius of the circle of the mixture in the middle.
const RADIUS: f64 = 6.0;
/// The page's colours in light mode, of little, some and much v.
const COLOURS: [[f32; 4]; 3] = [[0.97, 0.96, 0.93, 1.0], [0.24, 0.62, 0.64, 1.0], [0.08, 0.19, 0.33, 1.0]];

/// The cells after all steps, and the picture of them.
pub fn compute(setting: &Setting) -> Expected {
    let mut plane = Plane::sown(setting);
    for _ in 0..setting.steps {
        plane = plane.stepped(setting.feed.into(), setting.kill.into());
    }
    let mean = plane.cells.iter().map(|cell| cell[1]).sum::<f64>() / plane.cells.len() as f64;
    let pixels = plane.places().flat_map(|(x, y)| plane.pixel(x, y)).collect();
    Expected { cells: plane.cells.into_flattened(), pixels, mean }
}

/// Cells with u and v, whose borders meet.
struct Plane {
    width: i64,
    height: i64,
    cells: Vec<[f64; 2]>,
}

impl Plane {
    fn sown(setting: &Setting) -> Plane {
        let mut plane = Plane { width: setting.width.into(), height: setting.height.into(), cells: Vec::new() };
        let (middle_x, middle_y) = (f64::from(setting.width) / 2.0, f64::from(setting.height) / 2.0);
        let squares_in_row = setting.width.div_ceil(8);
        let is_mixture = |x: i64, y: i64| {
            let square = u32::try_from(y / 8).unwrap_or(0) * squares_in_row + u32::try_from(x / 8).unwrap_or(0);
            let in_circle = (x as f64 - middle_x).hypot(y as f64 - middle_y) < RADIUS;
            in_circle || hash(square.wrapping_add(setting.seed)).is_multiple_of(setting.rarity)
        };
        plane.cells = plane.places().map(|(x, y)| if is_mixture(x, y) { [0.5, 0.25] } else { [1.0, 0.0] }).collect();
        plane
    }

    /// The coordinates of all cells, row by row.
    fn places(&self) -> impl Iterator<Item = (i64, i64)> + use<> {
        let width = self.width;
        (0..self.height).flat_map(move |y| (0..width).map(move |x| (x, y)))
    }

    fn cell(&self, x: i64, y: i64) -> [f64; 2] {
        self.cells[(y.rem_euclid(self.height) * self.width + x.rem_euclid(self.width)) as usize]
    }

    /// After a step: diffusion by a stencil of nine cells, and u + 2v → 3v.
    fn stepped(&self, feed: f64, kill: f64) -> Plane {
        let next = |(x, y): (i64, i64)| {
            let [u, v] = self.cell(x, y);
            let spread = |substance: usize| {
                let around = |dx: i64, dy: i64| self.cell(x + dx, y + dy)[substance];
                let sides = around(-1, 0) + around(1, 0) + around(0, -1) + around(0, 1);
                let corners = around(-1, -1) + around(1, -1) + around(-1, 1) + around(1, 1);
                0.2 * sides + 0.05 * corners - around(0, 0)
            };
            let reaction = u * v * v;
            [u + spread(0) - reaction + feed * (1.0 - u), v + 0.5 * spread(1) + reaction - (feed + kill) * v]
        };
        Plane { width: self.width, height: self.height, cells: self.places().map(next).collect() }
    }

    fn pixel(&self, x: i64, y: i64) -> [f64; 4] {
        let v = |dx: i64, dy: i64| self.cell(x + dx, y + dy)[1];
        let light = 0.6 * (v(1, 0) - v(-1, 0) + v(0, 1) - v(0, -1));
        let (first, second) = (smooth_step(0.02, 0.2, v(0, 0)), smooth_step(0.2, 0.4, v(0, 0)));
        std::array::from_fn(|channel| {
            let [low, middle, high] = COLOURS.map(|colour| f64::from(colour[channel]));
            let colour = mix(mix(low, middle, first), high, second) + if channel < 3 { light } else { 0.0 };
            (255.0 * colour).round_ties_even().clamp(0.0, 255.0)
        })
    }
}

fn mix(from: f64, to: f64, share: f64) -> f64 {
    from + (to - from) * share
}

fn smooth_step(from: f64, to: f64, at: f64) -> f64 {
    let t = ((at - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

fn hash(mut x: u32) -> u32 {
    x = (x ^ (x >> 16)).wrapping_mul(0x7feb_352d);
    x = (x ^ (x >> 15)).wrapping_mul(0x846c_a68b);
    x ^ (x >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_even_plane_without_the_second_substance_stays_so() {
        let plane = Plane { width: 3, height: 2, cells: vec![[1.0, 0.0]; 6] };
        let next = plane.stepped(0.05, 0.06);
        assert!(next.cells.iter().all(|[u, v]| (u - 1.0).abs() < 1e-12 && *v == 0.0));
        assert_eq!(plane.pixel(0, 0), [247.0, 245.0, 237.0, 255.0]);
    }

    #[test]
    fn substances_spread_across_the_borders() {
        let mut plane = Plane { width: 4, height: 4, cells: vec![[0.0, 0.0]; 16] };
        plane.cells[0] = [0.0, 1.0];
        let next = plane.stepped(0.0, 0.0);
        assert_eq!(next.cell(3, 0)[1], 0.1);
        assert_eq!(next.cell(3, 3)[1], 0.025);
        assert_eq!(next.cell(2, 2)[1], 0.0);
    }
}
