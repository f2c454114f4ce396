//! The ways to read the accesses to a buffer, of which one is taken.

use super::conflict::Conflict;
use super::facts::{Access, Facts};
use super::number::Reading;
use super::samples::Samples;
use super::{literal, sum};
use crate::{BinaryOp, Buffer, Expr, ExprKind, Type};
use std::rc::Rc;

impl Facts<'_> {
    /// What it rests on that no two work-items meet in a buffer: of the ways to see it, the one that holds for
    /// most launches.
    pub(super) fn proved(
        &self,
        buffer: Buffer,
        counts: impl Fn(&Access) -> bool,
    ) -> Result<Vec<Expr>, Vec<Conflict>> {
        let of = |facts: &Self| {
            let accesses = facts.accesses.iter().filter(|a| a.buffer == buffer && counts(a));
            facts.fewest(&accesses.collect::<Vec<_>>())
        };
        let mut best = of(self);
        let holds =
            |all: &Result<Vec<Expr>, _>| all.as_ref().map_or(0, |all| self.samples.held(all));
        for facts in self.variants(buffer) {
            if holds(&best) == Samples::COUNT {
                break;
            }
            let found = of(&facts);
            if holds(&found) > holds(&best) || best.is_err() && found.is_ok() {
                best = found;
            }
        }
        best
    }

    /// The same facts with the extents that are declared, and with other orders of terms where their weights
    /// leave the order open.
    fn variants(&self, buffer: Buffer) -> impl Iterator<Item = Self> {
        let mut firsts = vec![None];
        for index in self.accesses.iter().filter(|a| a.buffer == buffer).flat_map(|a| &a.indices) {
            sum::rivals(index).into_iter().for_each(|factor| {
                if !firsts.iter().flatten().any(|known: &Expr| known.same(&factor)) {
                    firsts.push(Some(factor));
                }
            });
        }
        let named = if self.domain.iter().all(|e| literal(e).is_some()) { 1 } else { 2 };
        let (kernel, domain, samples) = (self.kernel, self.domain, Rc::clone(&self.samples));
        let all =
            firsts.into_iter().flat_map(move |first| (0..named).map(move |n| (first.clone(), n)));
        all.skip(1).map(move |(first, n)| {
            let mut facts = Facts::of(kernel, domain);
            (facts.first, facts.named, facts.samples) = (first, n == 1, Rc::clone(&samples));
            facts
        })
    }

    /// The requirements of the accesses to a buffer, without those of indices that need not tell the
    /// work-item as others do.
    fn fewest(&self, accesses: &[&Access]) -> Result<Vec<Expr>, Vec<Conflict>> {
        let Some(access) = accesses.first() else { return Ok(Vec::new()) };
        let rank = access.indices.len();
        let mut used = vec![true; rank];
        let (mut refused, mut rare) = (None, None);
        let found = Reading::ALL.into_iter().find_map(|reading| {
            let proved = self.check(accesses, &used, reading);
            let often = proved.as_ref().is_ok_and(|all| self.samples.held(all) > 0);
            match proved {
                Ok(all) if often => return Some((all, reading)),
                Ok(all) => drop(rare.get_or_insert((all, reading))),
                Err(conflicts) => drop(refused.get_or_insert(conflicts)),
            }
            None
        });
        let found = found.or_else(|| rare.clone().filter(|(all, _)| self.samples.possible(all)));
        let Some((mut best, reading)) = found else {
            let never = || self.never(&rare.map(|(all, _)| all).unwrap_or_default());
            return Err(refused.unwrap_or_else(never));
        };
        for d in 0..rank {
            used[d] = false;
            match self.check(accesses, &used, reading) {
                Ok(fewer) if fewer.len() < best.len() => best = fewer,
                _ => used[d] = true,
            }
        }
        // Numbers are taken for the extents that run, whatever says which ones do.
        let taken = |declared: &Expr| self.named || literal(declared).is_some();
        for (d, declared) in self.domain.iter().rev().enumerate().filter(|(_, e)| taken(e)) {
            let kind = ExprKind::Extent(d as u8);
            let extent = Expr { kind, ty: Type::Usize, site: access.site };
            best.push(Expr::binary(BinaryOp::Eq, extent, declared.clone(), access.site));
        }
        Ok(best)
    }
}
