package import PortolanWeb

/// What a receiver of fragments wants of an element.
package enum XMLFragmentChoice: Hashable, Sendable {
    /// What is in it, element by element; its own text is passed over.
    case enter
    /// All of it, as a tree.
    case whole
    /// All of it but those elements directly inside whose names have a number in the vocabulary of the reader.
    case wholeWithout(UInt8)
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
    ) throws(XMLError) -> [MapWarning] {
        try read(bytes, into: XMLFragmentCutter(handler: handler, limit: fragmentLimit, vocabulary: vocabulary))
    }

    /// Reads a document as ``readPlain(_:into:)`` does, in fragments.
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
    /// Reads the whole document in the pieces that a handler wants.
    fileprivate mutating func cut(
        _ document: [UInt8], for handler: any XMLFragmentHandler, limit: Int, vocabulary: XMLVocabulary?
    ) throws {
        let values = XMLAttributeValues()
        var builder = XMLContentBuilder(documentLength: document.count)
        var passedOver: UInt8 = 0
        // How many elements are open in the one that is passed over.
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
    /// Adds what a scanner has come upon.
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

/// Cuts a document into the pieces that a handler wants.
private final class XMLFragmentCutter: XMLHandler {
    private let handler: any XMLFragmentHandler
    private let limit: Int
    private let vocabulary: XMLVocabulary?
    private let builder: XMLTreeBuilder
    private var isBuilding = false
    /// The number of the names in the one that is told whole that are passed over.
    private var passedOver: UInt8 = 0
    /// How many elements are open in the one that is told whole, and how many that had.
    private var depth = 0, count = 0
    /// How many elements are open in the one that is passed over.
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
                throw XMLError(.limit("an element holds more than \(limit) others"), line: tag.line)
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
