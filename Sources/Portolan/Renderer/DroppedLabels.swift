import PortolanPaint

/// How many labels of a layer are not drawn, and why.
///
/// A label of a line that is drawn elsewhere along it, and words that stand nearby already, are not counted.
public struct DroppedLabels: Hashable, Sendable, Codable {
    /// Labels whose places are all taken, by other labels, by marks or by furniture.
    public internal(set) var collision: Int
    /// Labels whose line or area is too small for them.
    public internal(set) var noRoom: Int
    /// Labels for which there is no memory in the budget.
    public internal(set) var memory: Int
    /// What the first of them say, at most ten, those of the highest priority first.
    public internal(set) var names: [String]

    /// The number of labels that are not drawn.
    public var count: Int { collision + noRoom + memory }

    init?(_ losses: LabelLosses?) {
        guard let losses, losses.count > 0 else { return nil }
        collision = losses.collided
        noRoom = losses.lackingRoom
        memory = losses.unset
        names = losses.names
    }
}
