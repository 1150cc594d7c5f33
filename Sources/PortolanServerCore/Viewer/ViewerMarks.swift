import Portolan
import PortolanFeatures

/// The moving objects that a page has, and the changes since its last response.
///
/// The page names them by numbers, which are shorter than their identifiers.
struct ViewerMarks: Sendable {
    private struct Known: Sendable {
        /// The name of the object on the page.
        let name: Int
        let identity: LiveLayer.Mark.Identity
        /// The number of the change that the object was part of.
        let change: Int
    }

    /// The changes for a page.
    struct News {
        /// The number of the latest change.
        var change: Int
        /// The objects that are new, or move otherwise than announced, with their names.
        var marks: [(name: Int, mark: LiveLayer.Mark)]
        /// The names of the objects that are gone.
        var gone: [Int]
        /// The name of the selected object.
        var chosen: Int?
    }

    private var known: [Feature.ID: Known] = [:]
    /// The names of the objects that are gone, with their changes.
    private var gone: [Int: Int] = [:]
    private var chosen: Int?
    private var change = 0
    private var nameCount = 0
    /// The number of changes after which a page gets all objects again.
    private static let memory = 1000

    /// Compares the objects with those that the page has.
    ///
    /// - Parameters:
    ///   - selected: the selected object.
    ///   - seen: the number of the last change that the page has received, or 0.
    /// - Returns: the changes, or `nil` if there are none.
    mutating func news(of marks: [LiveLayer.Mark], selected: Feature.ID?, since seen: Int) -> News? {
        let next = change + 1
        var isChanged = false, missing = Set(known.keys)
        for mark in marks {
            missing.remove(mark.id)
            let earlier = known[mark.id]
            guard earlier?.identity != mark.identity else { continue }
            if earlier == nil { nameCount += 1 }
            known[mark.id] = Known(name: earlier?.name ?? nameCount, identity: mark.identity, change: next)
            isChanged = true
        }
        for id in missing {
            guard let lost = known.removeValue(forKey: id) else { continue }
            gone[lost.name] = next
            isChanged = true
        }
        let name = selected.flatMap { known[$0]?.name }
        isChanged = isChanged || name != chosen
        chosen = name
        if isChanged { change = next }
        guard change != seen else { return nil }
        let isAll = seen > change || seen < change - Self.memory
        gone = gone.filter { $0.value > change - Self.memory }
        return News(
            change: change,
            marks: marks.compactMap { mark in
                known[mark.id].flatMap { isAll || $0.change > seen ? ($0.name, mark) : nil }
            },
            gone: isAll ? [] : gone.filter { $0.value > seen }.map(\.key).sorted(), chosen: name)
    }
}
