/// The numbers of labels of a layer that are missing or cut, by cause.
package struct LabelLosses: Hashable, Sendable {
    /// The largest number of names that are kept.
    private static let nameLimit = 10
    /// The largest number of characters of a name.
    private static let nameLength = 60

    /// The number of labels whose positions were all occupied by labels, marks or furniture.
    package internal(set) var collided = 0
    /// The number of labels whose line or area was too small.
    package internal(set) var lackingRoom = 0
    /// The number of points that are left out with their labels.
    package internal(set) var omittedPoints = 0
    /// The number of points of a layer without a style sheet that have marks but not their names.
    package internal(set) var unnamedPoints = 0
    /// The number of labels for which the memory budget had no room.
    package internal(set) var unset = 0
    /// The number of labels whose text was cut because of its length.
    package internal(set) var cut = 0
    /// The texts of the first missing labels, with collisions in the order of their ranks.
    package internal(set) var names: [String] = []

    /// The number of labels that are missing.
    package var count: Int { collided + lackingRoom + unset }

    /// Counts a label whose positions are occupied.
    mutating func noteCollision(_ text: String) {
        collided += 1
        note(text)
    }

    /// Counts a label whose line or area is too small.
    mutating func noteLackOfRoom(_ text: String) {
        lackingRoom += 1
        note(text)
    }

    private mutating func note(_ text: String) {
        guard names.count < Self.nameLimit, !names.contains(text) else { return }
        let name = String(text.prefix(Self.nameLength)).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if !name.isEmpty, !names.contains(name) { names.append(name) }
    }

    /// Adds the losses of another part of the layer.
    mutating func add(_ other: LabelLosses) {
        collided += other.collided
        lackingRoom += other.lackingRoom
        omittedPoints += other.omittedPoints
        unnamedPoints += other.unnamedPoints
        unset += other.unset
        cut += other.cut
        for name in other.names { note(name) }
    }
}
