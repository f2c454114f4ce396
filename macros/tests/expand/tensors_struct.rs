#[automatically_derived]
#[allow(unused_variables)]
impl<P, const N: usize> ::ringwood::lazy::Tensors for Layer<P, N>
where
    P: Clone,
    [P; N]: ::ringwood::lazy::Tensors,
{
    fn visit<'visited>(
        &'visited self,
        visitor: &mut ::ringwood::lazy::Visitor<'visited>,
    ) {
        visitor.field::<Lazy>("weight", &self.weight);
        visitor.field::<[P; N]>("rest", &self.rest);
        visitor.field::<Lazy>("in", &self.r#in);
        visitor.configuration(&self.stride);
    }
    fn map(
        self,
        f: &mut dyn ::core::ops::FnMut(::ringwood::lazy::Lazy) -> ::ringwood::lazy::Lazy,
    ) -> Self {
        Self {
            weight: <Lazy as ::ringwood::lazy::Tensors>::map(self.weight, f),
            rest: <[P; N] as ::ringwood::lazy::Tensors>::map(self.rest, f),
            r#in: <Lazy as ::ringwood::lazy::Tensors>::map(self.r#in, f),
            stride: self.stride,
        }
    }
}
