//! Grids against the timepoints that the document declares, and frames of reference across them.

use std::collections::{BTreeMap, BTreeSet};

use crate::ReadError;
use crate::document::Document;
use crate::geometry::{AxisKind, GridView};
use crate::sample::{Chapter, ChapterState};
use crate::validate::{Context, Findings, Level, Rule, codes};

pub(in crate::validate) const RULE: Rule = Rule::new("check_timepoints", Level::Semantic, check);

/// Pairs of grids reported per frame of reference: enough to see what is wrong.
const MOST_PAIRS: usize = 1000;

fn check(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let Some(document) = &context.document else { return Ok(()) };
    let ChapterState::Group(_) = context.sample.chapter(Chapter::Grids)? else { return Ok(()) };
    let grids: Vec<_> =
        context.sample.grids()?.iter().map(Placed::read).collect::<Result<_, _>>()?;
    for grid in &grids {
        timepoint(document, grid, out);
    }
    let frames = frames(document, &grids);
    shared_frames(&frames, out);
    differing_grids(&grids, out);
    related_timepoints(context, document, &frames, out)
}

/// What matters of a grid here.
struct Placed {
    path: String,
    timepoint: Option<String>,
    /// Its frame of reference; an empty one is none.
    frame: Option<String>,
    axes: Option<Axes>,
}

impl Placed {
    fn read(grid: &GridView) -> Result<Self, ReadError> {
        let frame = grid.frame_uid()?.filter(|frame| !frame.is_empty());
        let axes = Axes::read(grid, frame.is_some())?;
        Ok(Self { path: grid.path().to_owned(), timepoint: grid.timepoint()?, frame, axes })
    }
}

/// What grids of one frame must agree in.
#[derive(PartialEq, Eq)]
struct Axes {
    /// Number of spatial axes.
    rank: usize,
    coord_system: String,
}

impl Axes {
    /// `None` for a grid that does not name the kinds of its axes, or has no frame.
    fn read(grid: &GridView, has_frame: bool) -> Result<Option<Self>, ReadError> {
        let kinds = grid.attributes().strings("axis_kinds")?;
        // The system of a grid without a frame is never asked, so it need not be readable.
        let Some(kinds) = kinds.filter(|_| has_frame) else { return Ok(None) };
        let is_spatial = |kind: &&String| *kind == AxisKind::Spatial.name();
        Ok(Some(Self {
            rank: kinds.iter().filter(is_spatial).count(),
            coord_system: grid.attributes().text("coord_system")?.unwrap_or_else(|| "LPS".into()),
        }))
    }
}

/// E106, E107: a grid names a timepoint if there are several, and one that is declared.
fn timepoint(document: &Document, grid: &Placed, out: &mut Findings) {
    match &grid.timepoint {
        None if document.timepoints.len() > 1 => {
            out.report(codes::E106, &grid.path, "no `timepoint`, and the sample has several");
        }
        Some(id) if document.timepoint(id).is_none() => {
            out.report(codes::E107, &grid.path, format!("no timepoint {id:?} is declared"));
        }
        _ => {}
    }
}

/// The declared timepoints of each frame's grids; a frame may have none.
fn frames<'g>(document: &Document, grids: &'g [Placed]) -> BTreeMap<&'g str, BTreeSet<&'g str>> {
    let mut frames: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for grid in grids {
        let Some(frame) = &grid.frame else { continue };
        let timepoints = frames.entry(frame).or_default();
        timepoints.extend(grid.timepoint.as_deref().filter(|id| document.timepoint(id).is_some()));
    }
    frames
}

/// W910: grids of different timepoints do not share a frame.
fn shared_frames(frames: &BTreeMap<&str, BTreeSet<&str>>, out: &mut Findings) {
    for (frame, timepoints) in frames.iter().filter(|(_, timepoints)| timepoints.len() > 1) {
        let message = format!("frame {frame:?} holds grids of the timepoints {timepoints:?}");
        out.report(codes::W910, "/grids", message);
    }
}

/// W917: grids of one frame agree in dimension and coordinate system.
fn differing_grids(grids: &[Placed], out: &mut Findings) {
    let mut by_frame: BTreeMap<&str, Vec<&Placed>> = BTreeMap::new();
    for grid in grids.iter().filter(|grid| grid.axes.is_some()) {
        if let Some(frame) = &grid.frame {
            by_frame.entry(frame).or_default().push(grid);
        }
    }
    for (frame, grids) in by_frame {
        let pairs = grids
            .iter()
            .enumerate()
            .flat_map(|(place, a)| grids.iter().skip(place + 1).map(move |b| (a, b)));
        for (a, b) in pairs.filter(|(a, b)| a.axes != b.axes).take(MOST_PAIRS) {
            let message = format!("{} and {} share frame {frame:?} but differ", a.path, b.path);
            out.report(codes::W917, "/grids", message);
        }
    }
}

/// W911: some chain of transforms joins frames of different timepoints.
fn related_timepoints(
    context: &Context<'_>,
    document: &Document,
    frames: &BTreeMap<&str, BTreeSet<&str>>,
    out: &mut Findings,
) -> Result<(), ReadError> {
    if document.timepoints.len() < 2 {
        return Ok(());
    }
    let mut islands = Islands::default();
    for transform in context.sample.transforms()? {
        if let Some((from, to)) = transform.frames()?
            && !from.is_empty()
            && !to.is_empty()
        {
            islands.join(from, to);
        }
    }
    let mut timepoints_of: BTreeMap<usize, &BTreeSet<&str>> = BTreeMap::new();
    let is_related = frames.iter().filter(|(_, timepoints)| !timepoints.is_empty()).any(
        |(frame, timepoints)| {
            let Some(island) = islands.of(frame) else { return false };
            *timepoints_of.entry(island).or_insert(timepoints) != timepoints
        },
    );
    if !is_related {
        let message = "the sample has several timepoints and no transform between their frames";
        out.report(codes::W911, "/transforms", message);
    }
    Ok(())
}

/// Frames that transforms join, directly or by way of others.
#[derive(Default)]
struct Islands {
    places: BTreeMap<String, usize>,
    /// For each frame one that it is joined to; itself for the frame that stands for its island.
    joined_to: Vec<usize>,
}

impl Islands {
    fn join(&mut self, a: String, b: String) {
        let (a, b) = (self.place(a), self.place(b));
        let (a, b) = (self.root(a), self.root(b));
        if let Some(slot) = self.joined_to.get_mut(a) {
            *slot = b;
        }
    }

    /// The island of a frame, if any transform names it.
    fn of(&mut self, frame: &str) -> Option<usize> {
        let place = *self.places.get(frame)?;
        Some(self.root(place))
    }

    fn place(&mut self, frame: String) -> usize {
        let next = self.joined_to.len();
        let place = *self.places.entry(frame).or_insert(next);
        if place == next {
            self.joined_to.push(next);
        }
        place
    }

    /// The frame that stands for an island; the way there gets shorter each time.
    fn root(&mut self, mut place: usize) -> usize {
        let next = |place: usize, joined: &[usize]| joined.get(place).copied().unwrap_or(place);
        while next(place, &self.joined_to) != place {
            let further = next(next(place, &self.joined_to), &self.joined_to);
            if let Some(slot) = self.joined_to.get_mut(place) {
                *slot = further;
            }
            place = further;
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_joined_by_way_of_others() {
        let mut islands = Islands::default();
        islands.join("a".into(), "b".into());
        islands.join("c".into(), "d".into());
        assert_ne!(islands.of("a"), islands.of("d"));
        islands.join("d".into(), "b".into());
        assert_eq!(islands.of("a"), islands.of("c"));
        assert_eq!(islands.of("z"), None);
    }
}
