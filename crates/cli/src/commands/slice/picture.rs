//! Pictures of planes: grey or coloured images, classes in their colours.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

use medh5::labels::LabelSet;
use png::{BitDepth, ColorType, Encoder};

/// A picture with one or three bytes per pixel.
pub(super) struct Picture {
    width: u32,
    height: u32,
    is_color: bool,
    pixels: Vec<u8>,
}

impl Picture {
    /// Grey values, or the first three channels as colours; `window` is centre and width of the range from black to white.
    pub(super) fn of_image(shape: &[u64], values: &[f64], window: Option<(f64, f64)>) -> Self {
        let (channels, height, width) = match *shape {
            [height, width] => (1, height, width),
            [channels, height, width] => (channels, height, width),
            _ => (1, 0, 0),
        };
        let (low, high) = window.map_or_else(
            || range(values),
            |(center, width)| (center - width / 2.0, center + width / 2.0),
        );
        let grey: Vec<u8> = values.iter().map(|&value| shade(value, low, high)).collect();
        let plane = usize::try_from(height * width).unwrap_or(0);
        let is_color = channels >= 3;
        let pixels = if is_color {
            let channel = |at, channel| grey.get(channel * plane + at).copied().unwrap_or(0);
            (0..plane).flat_map(|at| [0, 1, 2].map(|number| channel(at, number))).collect()
        } else {
            grey.get(..plane).unwrap_or_default().to_vec()
        };
        Self { width: side(width), height: side(height), is_color, pixels }
    }

    /// Each class in its colour on black.
    pub(super) fn of_classes(shape: &[u64], ids: &[u16], labels: Option<&LabelSet>) -> Self {
        let [height, width] = *shape else { return Self::of_image(&[], &[], None) };
        let pixels = ids.iter().flat_map(|&id| color(id, labels)).collect();
        Self { width: side(width), height: side(height), is_color: true, pixels }
    }

    pub(super) fn write_png(&self, path: &Path) -> io::Result<()> {
        let mut encoder =
            Encoder::new(BufWriter::new(File::create(path)?), self.width, self.height);
        encoder.set_color(if self.is_color { ColorType::Rgb } else { ColorType::Grayscale });
        encoder.set_depth(BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.pixels)?;
        Ok(writer.finish()?)
    }
}

fn side(extent: u64) -> u32 {
    u32::try_from(extent).unwrap_or(u32::MAX)
}

/// The range of the finite values.
fn range(values: &[f64]) -> (f64, f64) {
    let finite = values.iter().filter(|value| value.is_finite());
    finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &value| {
        (low.min(value), high.max(value))
    })
}

/// Black at `low` and below, white at `high` and above; a range without extent is grey, NaN black.
fn shade(value: f64, low: f64, high: f64) -> u8 {
    if value.is_nan() {
        return 0;
    }
    if low >= high {
        return if value < low {
            0
        } else if value > high {
            255
        } else {
            128
        };
    }
    let level = ((value - low) / (high - low)).clamp(0.0, 1.0) * 255.0;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and 255"
    )]
    let level = level.round() as u8;
    level
}

/// The colour of the label set, else one of a palette that colour-blind people can tell apart (Okabe and Ito).
fn color(id: u16, labels: Option<&LabelSet>) -> [u8; 3] {
    const PALETTE: [[u8; 3]; 7] = [
        [230, 159, 0],
        [86, 180, 233],
        [0, 158, 115],
        [240, 228, 66],
        [0, 114, 178],
        [213, 94, 0],
        [204, 121, 167],
    ];
    if id == 0 {
        return [0, 0, 0];
    }
    let class = labels.and_then(|labels| labels.class(id.into()));
    if let Some([red, green, blue, ..]) = class.map(|class| class.color.as_slice()) {
        return [red, green, blue].map(|part| u8::try_from(*part).unwrap_or(255));
    }
    PALETTE.get(usize::from(id - 1) % PALETTE.len()).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_goes_from_black_to_white() {
        let picture = Picture::of_image(&[1, 4], &[-50.0, 0.0, 50.0, f64::NAN], Some((0.0, 100.0)));
        assert_eq!(picture.pixels, [0, 128, 255, 0]);
    }

    #[test]
    fn without_a_window_the_range_of_the_plane_is_shown() {
        let picture = Picture::of_image(&[1, 3], &[10.0, f64::INFINITY, 20.0], None);
        assert_eq!(picture.pixels, [0, 255, 255]);
        assert_eq!(
            Picture::of_image(&[1, 2], &[7.0, 7.0], None).pixels,
            [128, 128],
            "a constant plane is grey"
        );
    }

    #[test]
    fn three_channels_are_colours() {
        let picture = Picture::of_image(
            &[3, 1, 2],
            &[0.0, 255.0, 0.0, 0.0, 255.0, 0.0],
            Some((127.5, 255.0)),
        );
        assert_eq!(picture.pixels, [0, 0, 255, 255, 0, 0]);
    }
}
