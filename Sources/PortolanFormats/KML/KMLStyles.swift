import PortolanFeatures
import PortolanXML

/// The styles of a KML document by identifier.
///
/// They may be defined after their use.
struct KMLStyles {
    /// A style reference of a placemark, or of a pair in a style map.
    struct Reference: Hashable {
        /// The text of `styleUrl`.
        var address: String?
        /// An inline style.
        var own: KMLStyle?
        /// The style of the selected state, for a style map.
        var highlight: Indirect?

        /// A reference within a reference.
        final class Indirect: Hashable, Sendable {
            let reference: Reference
            init(_ reference: Reference) { self.reference = reference }
            static func == (left: Indirect, right: Indirect) -> Bool { left.reference == right.reference }
            func hash(into hasher: inout Hasher) { hasher.combine(reference) }
        }
    }

    /// A `styleUrl` that cannot be resolved.
    enum Loss: Hashable {
        /// The style does not exist.
        case missing(String)
        /// The style is in another file, which is not read.
        case elsewhere(String)
        /// The style maps are circular, or nested too deeply.
        case circular(String)
    }

    /// The maximum length of a chain of references.
    private static let stepLimit = 16
    private var shared: [String: Reference] = [:]
    /// Returns the styles of another document by its URL.
    var elsewhere: (String) -> KMLStyles? = { _ in nil }

    /// Adds a shared style or style map.
    ///
    /// One without an identifier cannot be referenced.
    mutating func add(_ element: XMLElement, faults: inout [String]) {
        guard let id = element.attribute("id") else { return }
        // Google Earth wraps styles in an element with their identifier, and possibly that of the style below.
        let isWrapped = element.name == "CascadingStyle"
        let reference = Self.reference(
            to: isWrapped ? element.children.filter { Self.names.contains($0.name) } : [element],
            address: isWrapped ? element.text(of: "styleUrl") : nil, faults: &faults)
        // For duplicate identifiers, the last is used, as in viewers.
        shared[id] = reference
    }

    /// The names of style elements.
    static let names: Set<String> = ["Style", "StyleMap", "CascadingStyle"]

    /// Returns the combined reference of `Style` and `StyleMap` elements and a `styleUrl`.
    static func reference(to elements: [XMLElement], address: String?, faults: inout [String]) -> Reference {
        var reference = Reference(address: address)
        for element in elements {
            if element.name == "Style" {
                let style = KMLStyle(element)
                faults += style.faults
                reference.own = reference.own.map { style.over($0) } ?? style
                continue
            }
            guard element.name == "StyleMap" else {
                let inside = element.children.filter { $0.name == "Style" || $0.name == "StyleMap" }
                let wrapped = Self.reference(to: inside, address: element.text(of: "styleUrl"), faults: &faults)
                reference.address = reference.address ?? wrapped.address
                reference.own = wrapped.own.map { own in reference.own.map { own.over($0) } ?? own } ?? reference.own
                continue
            }
            for pair in element.children("Pair") {
                let inside = pair.children.filter { names.contains($0.name) }
                let target = Self.reference(to: inside, address: pair.text(of: "styleUrl"), faults: &faults)
                if pair.text(of: "key") == "highlight" {
                    reference.highlight = Reference.Indirect(target)
                } else {
                    reference.address = reference.address ?? target.address
                    reference.own = reference.own ?? target.own
                }
            }
        }
        return reference
    }

    /// Returns the normal and the selected style, each `nil` if the reference has none.
    func styles(for reference: Reference, losses: inout Set<Loss>) -> (normal: KMLStyle?, highlight: KMLStyle?) {
        var budget = Self.stepLimit
        let normal = style(reference, false, &losses, &budget)
        budget = Self.stepLimit
        let highlight = style(reference, true, &losses, &budget)
        return (normal, highlight)
    }

    private func style(
        _ reference: Reference, _ isHighlight: Bool, _ losses: inout Set<Loss>, _ budget: inout Int
    ) -> KMLStyle? {
        guard budget > 0 else {
            losses.insert(.circular(reference.address ?? ""))
            return nil
        }
        budget -= 1
        if isHighlight, let highlight = reference.highlight {
            return style(highlight.reference, false, &losses, &budget)
        }
        let target = reference.address.flatMap { find($0, &losses) }
        let below = target.flatMap { style($0, isHighlight, &losses, &budget) }
        // Unlike a style map, an inline style has no selected state.
        guard !isHighlight || below != nil else { return nil }
        return reference.own.map { own in below.map { own.over($0) } ?? own } ?? below
    }

    private func find(_ address: String, _ losses: inout Set<Loss>) -> Reference? {
        let hash = address.firstIndex(of: "#")
        let file = hash.map { address[..<$0] } ?? ""
        let id = hash.map { String(address[address.index(after: $0)...]) } ?? address
        guard file.isEmpty else {
            guard let found = elsewhere(String(file))?.shared[id]?.inside(String(file)) else {
                losses.insert(.elsewhere(address))
                return nil
            }
            return found
        }
        guard let found = shared[id] else {
            losses.insert(hash == nil && address.contains("/") ? .elsewhere(address) : .missing(address))
            return nil
        }
        return found
    }
}

extension KMLStyles.Reference {
    /// Returns the reference as seen from another document that refers to `file`.
    fileprivate func inside(_ file: String) -> Self {
        var reference = self
        reference.address = address.map { address in
            address.hasPrefix("#") ? file + address : address.contains("#") ? address : "\(file)#\(address)"
        }
        reference.highlight = highlight.map { Indirect($0.reference.inside(file)) }
        return reference
    }
}
