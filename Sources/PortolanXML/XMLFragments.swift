/// What a receiver of fragments wants of an element.
package enum XMLFragmentChoice: Hashable, Sendable {
    /// What is in it, element by element; its own text is passed over.
    case enter
    /// All of it, as a tree.
    case whole
    /// Nothing.
    case skip
}

/// A receiver of a document in pieces: elements that hold many things are entered, each of the things is told whole.
///
/// So a document of any length takes the memory of its largest thing.
package protocol XMLFragmentHandler: AnyObject {
    /// An element begins in one that was entered; the document's outermost is in none.
    func begin(_ tag: XMLStartTag) throws(XMLError) -> XMLFragmentChoice
    /// An element that was wanted whole has ended.
    func whole(_ element: XMLElement) throws(XMLError)
    /// The innermost element that was entered ends.
    func end() throws(XMLError)
}

extension XMLReader {
    /// Reads `bytes` and tells `handler` what it wants of them.
    ///
    /// - Parameter fragmentLimit: the most elements in one that is told whole.
    /// - Returns: what was odd but harmless, at most 20 lines.
    /// - Complexity: linear in the number of bytes.
    package func read(
        _ bytes: [UInt8], inFragmentsTo handler: any XMLFragmentHandler, fragmentLimit: Int = 1_000_000
    ) throws(XMLError) -> [String] {
        try read(bytes, into: XMLFragmentCutter(handler: handler, limit: fragmentLimit))
    }

    /// Reads a document as ``readPlain(_:into:)`` does, in fragments.
    package func readPlain(
        _ bytes: [UInt8], inFragmentsTo handler: any XMLFragmentHandler, fragmentLimit: Int = 1_000_000
    ) -> Bool {
        readPlain(bytes, into: XMLFragmentCutter(handler: handler, limit: fragmentLimit))
    }
}

/// Cuts a document into the pieces that a handler wants.
private final class XMLFragmentCutter: XMLHandler {
    private let handler: any XMLFragmentHandler
    private let limit: Int
    private let builder = XMLTreeBuilder()
    private var isBuilding = false
    /// How many elements are open in the one that is told whole, and how many that had.
    private var depth = 0, count = 0
    /// How many elements are open in the one that is passed over.
    private var skipped = 0

    init(handler: any XMLFragmentHandler, limit: Int) {
        self.handler = handler
        self.limit = limit
    }

    func startElement(_ tag: XMLStartTag) throws(XMLError) {
        if isBuilding {
            depth += 1
            count += 1
            guard count <= limit else {
                throw XMLError(.limit("an element holds more than \(limit) others"), line: tag.line)
            }
            return builder.startElement(tag)
        }
        guard skipped == 0 else {
            skipped += 1
            return
        }
        switch try handler.begin(tag) {
        case .enter: break
        case .skip: skipped = 1
        case .whole:
            builder.begin()
            builder.startElement(tag)
            isBuilding = true
            (depth, count) = (1, 0)
        }
    }

    func text(_ utf8: Span<UInt8>) throws(XMLError) {
        if isBuilding { builder.text(utf8) }
    }

    func endElement() throws(XMLError) {
        guard isBuilding else {
            guard skipped == 0 else {
                skipped -= 1
                return
            }
            return try handler.end()
        }
        builder.endElement()
        depth -= 1
        guard depth == 0, let root = builder.root else { return }
        isBuilding = false
        try handler.whole(root)
    }
}
