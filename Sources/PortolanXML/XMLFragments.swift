package import PortolanWeb

/// The treatment of an element by a fragment handler.
package enum XMLFragmentChoice: Hashable, Sendable {
    /// Pass its children one by one; its text is skipped.
    case enter
    /// Pass it as a tree.
    case whole
    /// Pass it as a tree without the children whose name has this number in the reader's vocabulary.
    case wholeWithout(UInt8)
    /// Skip it.
    case skip
}

/// Receives a document in fragments: containers are entered, and their items are passed as trees.
///
/// The memory needed is that of the largest item, regardless of the length of the document.
package protocol XMLFragmentHandler: AnyObject {
    /// Begins an element in an entered one, or the root element.
    func begin(_ tag: XMLStartTag) throws(XMLError) -> XMLFragmentChoice
    /// Receives an element that was requested as a tree.
    func whole(_ element: XMLElement) throws(XMLError)
    /// Ends the innermost entered element.
    func end() throws(XMLError)
}

extension XMLReader {
    /// Parses `bytes` and passes the requested fragments to `handler`.
    ///
    /// - Parameter fragmentLimit: the maximum number of elements in a tree.
    /// - Returns: at most 20 warnings.
    /// - Complexity: O(*n*) in the number of bytes.
    package func read(
        _ bytes: [UInt8], inFragmentsTo handler: any XMLFragmentHandler, fragmentLimit: Int = 1_000_000
    ) throws(XMLError) -> [MapWarning] {
        try read(bytes, into: XMLFragmentCutter(handler: handler, limit: fragmentLimit, vocabulary: vocabulary))
    }

    /// Parses a document like ``readPlain(_:into:)``, in fragments.
    package func readPlain(
        _ bytes: [UInt8], inFragmentsTo handler: any XMLFragmentHandler, fragmentLimit: Int = 1_000_000
    ) -> Bool {
        readPlain(bytes) { scanner, document throws(XMLPlainScanner.Refusal) in
            do {
                try scanner.cut(document, for: handler, limit: fragmentLimit, vocabulary: vocabulary)
            } catch { throw XMLPlainScanner.Refusal() }
        }
    }
}

extension XMLPlainScanner {
    /// Parses a whole document and passes the requested fragments to a handler.
    fileprivate mutating func cut(
        _ document: [UInt8], for handler: any XMLFragmentHandler, limit: Int, vocabulary: XMLVocabulary?
    ) throws {
        let values = XMLAttributeValues()
        var builder = XMLContentBuilder(documentLength: document.count)
        var passedOver: UInt8 = 0
        // The number of open elements in the skipped one.
        var skipped = 0
        while true {
            let piece = try next(document.span)
            if builder.depth > 0, skipped == 0 {
                if piece == .start, passedOver != 0, builder.depth == 1, names.codes[element] == passedOver {
                    skipped = 1
                    continue
                }
                builder.add(piece, of: self, document.span)
                guard builder.count <= limit + 1 else { throw Refusal() }
                guard builder.depth == 0 else { continue }
                try handler.whole(
                    builder.root(names: names.meanings, document: document, vocabulary: vocabulary))
                builder.removeAll()
                continue
            }
            switch piece {
            case .start where skipped > 0: skipped += 1
            case .start:
                switch try handler.begin(tag(document.span, values)) {
                case .enter: break
                case .skip: skipped = 1
                case .whole:
                    passedOver = 0
                    builder.add(piece, of: self, document.span)
                case .wholeWithout(let code):
                    passedOver = code
                    builder.add(piece, of: self, document.span)
                }
            case .end where skipped > 0: skipped -= 1
            case .end: try handler.end()
            case .text, .character: break
            case .finish: return
            }
        }
    }
}

extension XMLContentBuilder {
    /// Adds a piece of a scanner.
    @inline(__always)
    mutating func add(_ piece: XMLPlainScanner.Piece, of scanner: borrowing XMLPlainScanner, _ document: Span<UInt8>) {
        switch piece {
        case .start:
            start(name: scanner.element, code: scanner.names.codes[scanner.element], line: scanner.line)
            for attribute in scanner.attributes {
                let value = attribute.value
                guard value.lowerBound >= document.count else {
                    add(attribute)
                    continue
                }
                let place = (value.lowerBound - document.count)..<(value.upperBound - document.count)
                add(name: Int(attribute.name), copying: scanner.values.span.extracting(place))
            }
        case .text: add(scanner.text, of: document)
        case .character: add(copying: scanner.character.span, document)
        case .end: end(document)
        case .finish: break
        }
    }
}

/// Splits a document into the requested fragments.
private final class XMLFragmentCutter: XMLHandler {
    private let handler: any XMLFragmentHandler
    private let limit: Int
    private let vocabulary: XMLVocabulary?
    private let builder: XMLTreeBuilder
    private var isBuilding = false
    /// The vocabulary number of children that are left out of the tree.
    private var passedOver: UInt8 = 0
    /// The number of open elements in the tree, and of all its elements.
    private var depth = 0, count = 0
    /// The number of open elements in the skipped one.
    private var skipped = 0

    init(handler: any XMLFragmentHandler, limit: Int, vocabulary: XMLVocabulary?) {
        self.handler = handler
        self.limit = limit
        self.vocabulary = vocabulary
        builder = XMLTreeBuilder(vocabulary: vocabulary)
    }

    func startElement(_ tag: XMLStartTag) throws(XMLError) {
        guard skipped == 0 else {
            skipped += 1
            return
        }
        if isBuilding {
            if passedOver != 0, depth == 1, vocabulary?.code(of: tag.name) == passedOver {
                skipped = 1
                return
            }
            depth += 1
            count += 1
            guard count <= limit else {
                throw XMLError(.limit("an element has more than \(limit) children"), line: tag.line)
            }
            return builder.startElement(tag)
        }
        switch try handler.begin(tag) {
        case .enter: break
        case .skip: skipped = 1
        case .whole: begin(tag, passingOver: 0)
        case .wholeWithout(let code): begin(tag, passingOver: code)
        }
    }

    private func begin(_ tag: XMLStartTag, passingOver code: UInt8) {
        passedOver = code
        builder.begin()
        builder.startElement(tag)
        isBuilding = true
        (depth, count) = (1, 0)
    }

    func text(_ utf8: Span<UInt8>) throws(XMLError) {
        if isBuilding, skipped == 0 { builder.text(utf8) }
    }

    func endElement() throws(XMLError) {
        guard skipped == 0 else {
            skipped -= 1
            return
        }
        guard isBuilding else { return try handler.end() }
        builder.endElement()
        depth -= 1
        guard depth == 0, let root = builder.root else { return }
        isBuilding = false
        try handler.whole(root)
    }
}
