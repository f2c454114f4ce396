//! Kernels of one or two stores in two loops, and launches of them.

use ringwood_ir::{
    BinaryOp, Buffer, Expr, ExprKind, Kernel, Param, ParamKind, Stmt, Type, Variable, check,
};

/// The scalars, parameters 1, 2 and 3.
const SCALARS: [&str; 3] = ["n", "m", "s"];
/// The work-items of a group along its dimensions, those of the rank.
const GROUP: [u32; 2] = [4, 2];

#[derive(Clone)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_041);
        ((self.0 ^ self.0 >> 29) >> 33) as usize % n
    }

    fn pick(&mut self, from: &[Expr]) -> Expr {
        from[self.below(from.len())].clone()
    }

    /// Exchanges the operands of some sums and products, and regroups some sums.
    pub(crate) fn shuffle(&mut self, e: &mut Expr) {
        e.operands_mut().into_iter().for_each(|e| self.shuffle(e));
        let ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Mul), a, b) = &mut e.kind else {
            return;
        };
        if self.below(2) == 0 {
            std::mem::swap(a, b);
        }
        if let (BinaryOp::Add, 0, ExprKind::Binary(BinaryOp::Add, x, y)) =
            (*op, self.below(2), &a.kind)
        {
            let rest = binary(BinaryOp::Add, (**y).clone(), (**b).clone());
            *e = binary(BinaryOp::Add, (**x).clone(), rest);
        }
    }
}

fn of(kind: ExprKind) -> Expr {
    Expr { kind, ty: Type::Usize, site: 0 }
}

fn int(value: usize) -> Expr {
    Expr::index(value, 0)
}

fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr::binary(op, a, b, 0)
}

fn scalar(p: u32) -> Expr {
    of(ExprKind::Param(p))
}

fn uniforms() -> Vec<Expr> {
    let sum = binary(BinaryOp::Add, scalar(1), int(1));
    vec![scalar(1), scalar(2), scalar(1), scalar(2), int(2), int(3), int(4), int(8), sum]
}

/// One or two stores under two loops and perhaps a condition.
#[derive(Default)]
pub(crate) struct Case {
    group: bool,
    rank: u8,
    ends: Vec<Expr>,
    condition: Option<Expr>,
    pub(crate) indices: Vec<Expr>,
    /// The declared domain, if there is one.
    pub(crate) domain: Vec<Expr>,
}

impl Case {
    pub(crate) fn of(random: &mut Random) -> Self {
        let (group, rank) = (random.below(3) == 0, 1 + random.below(2) as u8);
        let ends = (0..2).map(|_| random.pick(&uniforms())).collect();
        let mut case = Case { group, rank, ends, ..Case::default() };
        let index = case.index(random);
        if random.below(3) == 0 {
            let mut guarded = index.clone();
            if let (ExprKind::Binary(_, _, low), true) = (&index.kind, random.below(2) == 0) {
                guarded = (**low).clone();
            }
            let limit = random.pick(&uniforms());
            case.condition = Some(binary(BinaryOp::Lt, guarded, limit));
        }
        if random.below(3) == 0 {
            let mut other = index.clone();
            if random.below(2) == 0 {
                random.shuffle(&mut other);
            }
            let step = random.pick(&[uniforms(), vec![int(1)]].concat());
            case.indices.push(binary(BinaryOp::Add, other, step));
        }
        case.indices.push(index);
        case
    }

    /// Two stores, of which one is moved or mirrored, and perhaps a condition that keeps them apart.
    pub(crate) fn pair(random: &mut Random) -> Self {
        let mut limit = random.pick(&uniforms());
        let ends = vec![random.pick(&uniforms()), int(1)];
        let mut case = Case { rank: 1, ends, ..Case::default() };
        let gid = || of(ExprKind::Gid(0));
        let index = match random.below(5) {
            0 => case.index(random),
            1 => {
                let row = binary(BinaryOp::Mul, gid(), case.ends[0].clone());
                binary(BinaryOp::Add, row, of(ExprKind::Var(0)))
            }
            2 => binary(BinaryOp::Mul, gid(), int(2)),
            _ => gid(),
        };
        let mut by = limit.clone();
        match random.below(4) {
            0 => by = random.pick(&uniforms()),
            1 => limit = binary(BinaryOp::Div, limit, int(1 + random.below(3))),
            2 => by = binary(BinaryOp::Mul, by, int(2)),
            _ => {}
        }
        let other = match random.below(3) {
            0 => binary(BinaryOp::Sub, binary(BinaryOp::Sub, by, int(1)), index.clone()),
            _ => binary(BinaryOp::Add, index.clone(), by),
        };
        case.condition = match random.below(6) {
            0 => None,
            1 => {
                let reaches = binary(BinaryOp::Ge, index.clone(), limit.clone());
                Some(Expr { kind: ExprKind::Not(Box::new(reaches)), ty: Type::Bool, site: 0 })
            }
            2 => Some(binary(BinaryOp::Lt, gid(), limit.clone())),
            _ => Some(binary(BinaryOp::Lt, index.clone(), limit.clone())),
        };
        if random.below(3) == 0 {
            case.domain.push(random.pick(&[limit, random.clone().pick(&uniforms())]));
        }
        let index = match random.below(4) {
            0 => binary(BinaryOp::Add, index, int(1)),
            _ => index,
        };
        case.indices = vec![index, other];
        if random.below(2) == 0 {
            case.indices.reverse();
        }
        case
    }

    /// Two stores in each of several rows: halves, mirrored pairs and butterflies, and what nearly is one.
    pub(crate) fn rows(random: &mut Random) -> Self {
        let half = random.pick(&uniforms());
        let twice = || binary(BinaryOp::Mul, int(2), half.clone());
        let width = match random.below(4) {
            0 => twice(),
            1 => half.clone(),
            _ => random.pick(&[scalar(1), scalar(2), twice()]),
        };
        let mut case = Case { rank: 2, ends: vec![int(1), int(1)], ..Case::default() };
        let plus = |a: &Expr, b: Expr| binary(BinaryOp::Add, a.clone(), b);
        let minus = |a: Expr, b: &Expr| binary(BinaryOp::Sub, a, b.clone());
        let halved = binary(BinaryOp::Div, width.clone(), int(2));
        let mut extent = match random.below(6) {
            0 => minus(halved.clone(), &int(1)),
            1 => plus(&halved, int(1)),
            2 => width.clone(),
            _ => random.pick(&[half.clone(), halved.clone()]),
        };
        let (mut row, mut k) = (of(ExprKind::Gid(1)), of(ExprKind::Gid(0)));
        let rows = random.pick(&[scalar(3), int(3)]);
        if random.below(4) == 0 {
            // Its turns are those of a loop.
            case.rank = 1;
            (row, k) = (of(ExprKind::Gid(0)), of(ExprKind::Var(0)));
            case.ends[0] = extent.clone();
            case.domain = vec![rows.clone()];
        } else if random.below(3) == 0 {
            case.condition = Some(binary(BinaryOp::Lt, k.clone(), extent.clone()));
            extent = random.pick(&[scalar(3), extent]);
            case.domain = vec![rows.clone(), extent];
        } else {
            case.domain = vec![rows.clone(), extent];
        }
        if random.below(4) == 0 {
            case.domain.clear();
        }
        if random.below(4) == 0 {
            k = plus(&k, int(1));
        }
        let at = |row: &Expr| binary(BinaryOp::Mul, row.clone(), width.clone());
        let (mut index, mut other);
        match random.below(6) {
            0 => {
                // A butterfly, of which `half` is the distance.
                let block = binary(BinaryOp::Div, k.clone(), half.clone());
                let block = binary(BinaryOp::Mul, block, twice());
                let rest = binary(BinaryOp::Rem, k.clone(), half.clone());
                index = plus(&plus(&at(&row), block), rest);
                other = plus(&index, random.pick(&[half.clone(), half.clone(), twice(), int(1)]));
            }
            1 | 2 => {
                let last = minus(plus(&at(&row), width.clone()), &int(random.below(3)));
                index = plus(&at(&row), k.clone());
                other = minus(last, &k);
            }
            3 => {
                let top = minus(minus(rows, &int(1)), &row);
                index = plus(&at(&row), k.clone());
                other = plus(&at(&top), k.clone());
            }
            _ => {
                index = plus(&at(&row), k.clone());
                other = plus(&index, random.pick(&[half.clone(), halved, width.clone()]));
            }
        }
        if random.below(5) == 0 {
            let twice = |e: Expr| binary(BinaryOp::Mul, e, int(2));
            (index, other) = (twice(index), plus(&twice(other), int(random.below(2))));
        }
        case.indices = vec![index, other];
        case.indices.iter_mut().for_each(|index| random.shuffle(index));
        case
    }

    /// A value that varies, mostly one that tells something of the work-item.
    fn digit(&self, random: &mut Random) -> (Expr, Expr) {
        let d = random.below(self.rank.into()) as u8;
        let (position, bound) = match (self.group, random.below(5)) {
            (_, 0) => (of(ExprKind::Var(0)), self.ends[0].clone()),
            (_, 1) => (of(ExprKind::Var(1)), self.ends[1].clone()),
            (false, _) => (of(ExprKind::Gid(d)), random.pick(&uniforms())),
            (true, 2) => (of(ExprKind::Group(d)), random.pick(&uniforms())),
            (true, _) => (of(ExprKind::Lid(d)), int(GROUP[usize::from(d)] as usize)),
        };
        let by = random.pick(&uniforms());
        match random.below(12) {
            0 => (binary(BinaryOp::Rem, position, by.clone()), by),
            1 => (binary(BinaryOp::Div, position, by), bound),
            2 => {
                let last = binary(BinaryOp::Sub, bound.clone(), int(1));
                (binary(BinaryOp::Sub, last, position), bound)
            }
            _ => (position, bound),
        }
    }

    /// A number in a mixed radix, written in one of several ways; its radices may be too small.
    fn index(&self, random: &mut Random) -> Expr {
        let (mut sum, mut weight) = (Vec::new(), None::<Expr>);
        for _ in 0..1 + random.below(4) {
            let (digit, bound) = self.digit(random);
            let term = match &weight {
                Some(weight) => binary(BinaryOp::Mul, digit, weight.clone()),
                None => digit,
            };
            sum.push(term);
            let radix = if random.below(4) == 0 { random.pick(&uniforms()) } else { bound };
            weight = Some(match weight {
                Some(weight) => binary(BinaryOp::Mul, radix, weight),
                None => radix,
            });
        }
        if random.below(3) == 0 {
            sum.insert(random.below(sum.len() + 1), random.pick(&[scalar(3), int(1), int(5)]));
        }
        let mut index = sum.into_iter().reduce(|a, b| binary(BinaryOp::Add, a, b)).unwrap();
        random.shuffle(&mut index);
        match random.below(6) {
            0 => binary(BinaryOp::Mul, index, random.pick(&uniforms())),
            _ => index,
        }
    }

    pub(crate) fn kernel(&self) -> Kernel {
        let param = |name: &str, kind| Param { name: name.into(), kind };
        let slice = param("y", ParamKind::Slice { ty: Type::F32, mutable: true });
        let scalars = SCALARS.map(|name| param(name, ParamKind::Scalar(Type::Usize)));
        let stores = self.indices.iter().map(|index| {
            let value = Expr { kind: ExprKind::Float(0), ty: Type::F32, site: 0 };
            let indices = vec![index.clone()];
            Stmt::Store { buffer: Buffer::Param(0), indices, value, site: 0 }
        });
        let mut body: Vec<_> = stores.collect();
        if let Some(condition) = &self.condition {
            body = vec![Stmt::If(condition.clone(), body, Vec::new())];
        }
        for (var, end) in self.ends.iter().enumerate() {
            body = vec![Stmt::For(var as u32, int(0), end.clone(), body)];
        }
        let kernel = Kernel {
            name: "k".into(),
            rank: self.rank,
            group: self.group.then_some([GROUP[0], if self.rank > 1 { GROUP[1] } else { 1 }, 1]),
            params: std::iter::once(slice).chain(scalars).collect(),
            vars: (0..2).map(|v| Variable { name: format!("v{v}"), ty: Type::Usize }).collect(),
            body,
            ..Kernel::default()
        };
        check(&kernel).unwrap_or_else(|error| panic!("{error}\n{kernel}"));
        kernel
    }

    pub(crate) fn runs(&self, place: &Place, launch: &Launch) -> bool {
        self.condition.as_ref().is_none_or(|e| value(e, place, launch) != 0)
    }
}

/// A work-item in a turn of the loops.
#[derive(Clone, Default)]
pub(crate) struct Place {
    pub(crate) item: Vec<u64>,
    values: [u64; 6],
}

/// The extents and scalars of a launch.
#[derive(Debug)]
pub(crate) struct Launch {
    extents: [u64; 2],
    scalars: [u64; 3],
}

impl Launch {
    pub(crate) fn of(random: &mut Random) -> Self {
        let extents = [(); 2].map(|()| 1 + random.below(5) as u64);
        let scalars = [(); 3].map(|()| match random.below(20) {
            0 => 1 << 63,
            1 => u64::MAX - random.below(4) as u64,
            _ => random.below(9) as u64,
        });
        Launch { extents, scalars }
    }

    /// The same over the declared domain, if that is small.
    pub(crate) fn over(mut self, domain: &[Expr]) -> Self {
        for (d, declared) in domain.iter().rev().enumerate() {
            let extent = value(declared, &Place::default(), &self);
            if extent < 20 {
                self.extents[d] = extent;
            }
        }
        self
    }

    pub(crate) fn allows(&self, requires: &[Expr]) -> bool {
        requires.iter().all(|e| value(e, &Place::default(), self) != 0)
    }

    pub(crate) fn places(&self, case: &Case) -> Vec<Place> {
        let mut places = vec![Place::default()];
        let mut along = |kind: ExprKind, end: u64, is_item: bool| {
            // Of a long loop a part: work-items that meet in it meet.
            let turns = 0..end.min(9);
            let turn = |place: &Place| {
                let all = turns.clone().map(|turn| place.turn(&kind, turn, is_item));
                all.collect::<Vec<_>>()
            };
            places = places.iter().flat_map(turn).collect();
        };
        for d in 0..case.rank {
            let kind = if case.group { ExprKind::Group(d) } else { ExprKind::Gid(d) };
            along(kind, self.extents[usize::from(d)], true);
        }
        for d in (0..case.rank).filter(|_| case.group) {
            along(ExprKind::Lid(d), GROUP[usize::from(d)].into(), true);
        }
        for (var, end) in case.ends.iter().enumerate() {
            along(ExprKind::Var(var as u32), value(end, &Place::default(), self), false);
        }
        places
    }
}

impl Place {
    fn turn(&self, kind: &ExprKind, turn: u64, is_item: bool) -> Place {
        let mut place = self.clone();
        place.values[slot(kind)] = turn;
        if is_item {
            place.item.push(turn);
        }
        place
    }
}

fn slot(kind: &ExprKind) -> usize {
    match kind {
        ExprKind::Gid(d) | ExprKind::Group(d) => usize::from(*d),
        ExprKind::Lid(d) => 2 + usize::from(*d),
        ExprKind::Var(v) => 4 + *v as usize,
        _ => panic!("{kind:?} does not vary"),
    }
}

/// The value of an index, or 1 or 0 of a condition.
pub(crate) fn value(e: &Expr, place: &Place, launch: &Launch) -> u64 {
    let of = |e: &Expr| value(e, place, launch);
    match &e.kind {
        ExprKind::Int(value) => *value as u64,
        ExprKind::Param(p) => launch.scalars[*p as usize - 1],
        ExprKind::Extent(d) => launch.extents[usize::from(*d)],
        ExprKind::Cast(inner) => of(inner),
        ExprKind::Not(inner) => u64::from(of(inner) == 0),
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (of(a), of(b));
            match op {
                BinaryOp::Add => a.wrapping_add(b),
                BinaryOp::Sub => a.wrapping_sub(b),
                BinaryOp::Mul => a.wrapping_mul(b),
                BinaryOp::Div => a.checked_div(b).unwrap_or(0),
                BinaryOp::Rem => a.checked_rem(b).unwrap_or(0),
                BinaryOp::Lt => (a < b).into(),
                BinaryOp::Ge => (a >= b).into(),
                BinaryOp::Le => (a <= b).into(),
                BinaryOp::Eq => (a == b).into(),
                BinaryOp::Ne => (a != b).into(),
                BinaryOp::And => a & b,
                BinaryOp::Or => a | b,
                _ => panic!("{e:?}"),
            }
        }
        kind => place.values[slot(kind)],
    }
}
