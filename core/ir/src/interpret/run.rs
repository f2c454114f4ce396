//! Statements, for the work-items of a group at once.

use super::memory::Memory;
use super::race::AccessKind;
use super::{Refusal, scalar};
use crate::{Atomic, AtomicOp, BinaryOp, Expr, GroupOp, Kernel, MathFn, Stmt, Value};

/// The work-items of a group that take part, in rising order.
type Lanes = Vec<usize>;

pub(super) struct Run<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) memory: &'a mut Memory,
    pub(super) steps: &'a mut u64,
    /// The index of the group along each dimension; of the work-item for a grid kernel.
    pub(super) group: [usize; 3],
    /// The row-major index of the group.
    pub(super) number: usize,
    pub(super) extent: [usize; 3],
    /// The number of barriers that the group met.
    pub(super) epoch: usize,
    size: usize,
    /// Those of one work-item after those of the other.
    vars: Vec<Value>,
    /// For each loop around the statement, the work-items that go on with its next turn.
    continued: Vec<Lanes>,
}

impl<'a> Run<'a> {
    /// A run over a domain, slowest dimension first.
    pub(super) fn new(
        kernel: &'a Kernel,
        domain: &[usize],
        memory: &'a mut Memory,
        steps: &'a mut u64,
    ) -> Self {
        let mut extent = [1; 3];
        extent.iter_mut().zip(domain.iter().rev()).for_each(|(extent, known)| *extent = *known);
        Run {
            kernel,
            memory,
            steps,
            group: [0; 3],
            number: 0,
            extent,
            epoch: 0,
            size: kernel.group_size(),
            vars: Vec::new(),
            continued: Vec::new(),
        }
    }

    /// Begins a group.
    pub(super) fn begin(&mut self, number: usize) {
        let zero = self.kernel.vars.iter().map(|v| Value::zero(v.ty));
        self.vars.clear();
        (0..self.size).for_each(|_| self.vars.extend(zero.clone()));
        self.memory.begin();
        (self.number, self.epoch) = (number, 0);
    }

    /// Runs statements for every work-item of the group.
    pub(super) fn all(&mut self, body: &[Stmt]) -> Result<(), Refusal> {
        self.block(body, (0..self.size).collect()).map(drop)
    }

    pub(super) fn var(&mut self, var: u32, lane: usize) -> &mut Value {
        &mut self.vars[lane * self.kernel.vars.len() + var as usize]
    }

    /// The index of a work-item in its group along a dimension.
    pub(super) fn lid(&self, lane: usize, dim: usize) -> usize {
        let size = self.kernel.group.unwrap_or([1; 3]).map(|n| n as usize);
        lane / size[..dim].iter().product::<usize>() % size[dim]
    }

    /// Runs statements; returns the work-items that get to their end.
    fn block(&mut self, body: &[Stmt], mut lanes: Lanes) -> Result<Lanes, Refusal> {
        for stmt in body {
            if lanes.is_empty() {
                break;
            }
            self.step(lanes.len())?;
            lanes = self.stmt(stmt, lanes)?;
        }
        Ok(lanes)
    }

    fn stmt(&mut self, stmt: &Stmt, lanes: Lanes) -> Result<Lanes, Refusal> {
        match stmt {
            Stmt::Let(v, e) | Stmt::Assign(v, e) => {
                for &lane in &lanes {
                    *self.var(*v, lane) = self.eval(e, lane)?;
                }
            }
            Stmt::Store { buffer, indices, value, site } => {
                for &lane in &lanes {
                    let indices = self.indices(indices, lane)?;
                    let value = self.eval(value, lane)?;
                    let access = self.access(AccessKind::Write, *site, lane);
                    if let Some(at) = self.memory.place(*buffer, &indices, access)? {
                        self.memory.write(*buffer, at, value);
                    }
                }
            }
            Stmt::Fill(array, value) => {
                for &lane in &lanes {
                    let value = self.eval(value, lane)?;
                    self.memory.fill(*array, lane, value);
                }
            }
            Stmt::Atomic(atomic) => {
                for &lane in &lanes {
                    self.atomic(atomic, lane)?;
                }
            }
            Stmt::If(c, a, b) => return self.branch(c, [a, b], lanes),
            Stmt::For(v, a, b, body) => self.count(*v, [a, b], body, &lanes)?,
            Stmt::ForGroup(v, n, body) => self.shared_loop(*v, n, body, &lanes)?,
            Stmt::While(c, body) => self.repeat(c, body, lanes.clone())?,
            Stmt::Break => return Ok(Lanes::new()),
            Stmt::Continue => {
                if let Some(next) = self.continued.last_mut() {
                    next.extend(&lanes);
                }
                return Ok(Lanes::new());
            }
            Stmt::Barrier(site) => {
                self.together(&lanes, *site)?;
                self.epoch += 1;
            }
            Stmt::GroupReduce { var, op, value, site } => {
                self.together(&lanes, *site)?;
                let result = self.reduce(*op, value)?;
                lanes.iter().for_each(|lane| *self.var(*var, *lane) = result);
            }
        }
        Ok(lanes)
    }

    fn step(&mut self, count: usize) -> Result<(), Refusal> {
        *self.steps = self.steps.checked_sub(count as u64).ok_or(Refusal::Steps)?;
        Ok(())
    }

    fn together(&self, lanes: &Lanes, site: u32) -> Result<(), Refusal> {
        if lanes.len() == self.size { Ok(()) } else { Err(Refusal::Divergent { site }) }
    }

    fn branch(
        &mut self,
        condition: &Expr,
        [a, b]: [&[Stmt]; 2],
        lanes: Lanes,
    ) -> Result<Lanes, Refusal> {
        let (mut yes, mut no) = (Lanes::new(), Lanes::new());
        for lane in lanes {
            if self.truth(condition, lane)? { yes.push(lane) } else { no.push(lane) }
        }
        let mut after = self.block(a, yes)?;
        after.extend(self.block(b, no)?);
        after.sort_unstable();
        Ok(after)
    }

    /// Runs one turn of a loop; returns the work-items that did not leave it.
    fn turn(&mut self, body: &[Stmt], lanes: Lanes) -> Result<Lanes, Refusal> {
        self.step(lanes.len())?;
        self.continued.push(Lanes::new());
        let after = self.block(body, lanes);
        let mut next = self.continued.pop().unwrap_or_default();
        next.extend(after?);
        next.sort_unstable();
        Ok(next)
    }

    fn repeat(&mut self, condition: &Expr, body: &[Stmt], mut lanes: Lanes) -> Result<(), Refusal> {
        loop {
            let mut stay = Lanes::new();
            for lane in lanes {
                if self.truth(condition, lane)? {
                    stay.push(lane);
                }
            }
            if stay.is_empty() {
                return Ok(());
            }
            lanes = self.turn(body, stay)?;
        }
    }

    fn count(
        &mut self,
        var: u32,
        [from, to]: [&Expr; 2],
        body: &[Stmt],
        lanes: &Lanes,
    ) -> Result<(), Refusal> {
        let mut at = vec![Value::Bool(false); self.size];
        let mut end = at.clone();
        for &lane in lanes {
            at[lane] = self.eval(from, lane)?;
            end[lane] = self.eval(to, lane)?;
        }
        let mut lanes = lanes.clone();
        loop {
            let below = |lane: &usize| scalar::binary(BinaryOp::Lt, at[*lane], end[*lane]);
            lanes.retain(|lane| below(lane) == Value::Bool(true));
            if lanes.is_empty() {
                return Ok(());
            }
            lanes.iter().for_each(|lane| *self.var(var, *lane) = at[*lane]);
            lanes = self.turn(body, lanes)?;
            for &lane in &lanes {
                let one = Value::of_integer(1, at[lane].ty());
                at[lane] = scalar::binary(BinaryOp::Add, at[lane], one);
            }
        }
    }

    fn shared_loop(
        &mut self,
        var: u32,
        count: &Expr,
        body: &[Stmt],
        lanes: &Lanes,
    ) -> Result<(), Refusal> {
        self.together(lanes, count.site)?;
        let bounds = lanes.iter().map(|lane| self.eval(count, *lane));
        let bounds = bounds.collect::<Result<Vec<_>, _>>()?;
        let Value::Usize(end) = bounds[0] else { return Ok(()) };
        if bounds.iter().any(|bound| *bound != bounds[0]) {
            return Err(Refusal::Uneven { site: count.site });
        }
        let (mut lanes, mut first) = (lanes.clone(), 0_usize);
        loop {
            lanes.retain(|lane| first.checked_add(*lane).is_some_and(|at| at < end));
            if lanes.is_empty() {
                return Ok(());
            }
            lanes.iter().for_each(|lane| *self.var(var, *lane) = Value::Usize(first + lane));
            lanes = self.turn(body, lanes)?;
            first = first.saturating_add(self.size);
        }
    }

    fn reduce(&mut self, op: GroupOp, value: &Expr) -> Result<Value, Refusal> {
        let values = (0..self.size).map(|lane| self.eval(value, lane));
        let mut values = values.collect::<Result<Vec<_>, _>>()?;
        let mut half = self.size / 2;
        while half > 0 {
            for lane in 0..half {
                let (a, b) = (values[lane], values[lane + half]);
                values[lane] = match op {
                    GroupOp::Sum => scalar::binary(BinaryOp::Add, a, b),
                    GroupOp::Min => scalar::math(MathFn::Min, &[a, b]),
                    GroupOp::Max => scalar::math(MathFn::Max, &[a, b]),
                    GroupOp::Function(function) => self.call(function, &[a, b])?,
                };
            }
            half /= 2;
        }
        Ok(values[0])
    }

    fn atomic(&mut self, atomic: &Atomic, lane: usize) -> Result<(), Refusal> {
        let Atomic { op, buffer, indices, values, old, site } = atomic;
        let indices = self.indices(indices, lane)?;
        let values = self.values(values, lane)?;
        let access = self.access(AccessKind::Atomic, *site, lane);
        let mut found = Value::zero(values[0].ty());
        if let Some(at) = self.memory.place(*buffer, &indices, access)? {
            found = self.memory.read(*buffer, at, *site)?;
            self.memory.write(*buffer, at, changed(*op, found, &values));
        }
        if let Some(var) = old {
            *self.var(*var, lane) = found;
        }
        Ok(())
    }
}

/// What an atomic operation leaves in the place of `old`.
fn changed(op: AtomicOp, old: Value, values: &[Value]) -> Value {
    let operator = match op {
        AtomicOp::Add => BinaryOp::Add,
        AtomicOp::And => BinaryOp::BitAnd,
        AtomicOp::Or => BinaryOp::BitOr,
        AtomicOp::Xor => BinaryOp::BitXor,
        AtomicOp::Min => return scalar::math(MathFn::Min, &[old, values[0]]),
        AtomicOp::Max => return scalar::math(MathFn::Max, &[old, values[0]]),
        AtomicOp::Exchange => return values[0],
        AtomicOp::CompareExchange => return if old == values[0] { values[1] } else { old },
    };
    scalar::binary(operator, old, values[0])
}
