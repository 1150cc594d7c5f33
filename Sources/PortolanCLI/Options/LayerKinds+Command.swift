package import Portolan

extension LayerKinds {
    /// The kinds that both commands know; a program that knows more adds them here.
    package static let command = LayerKinds.standard
}
