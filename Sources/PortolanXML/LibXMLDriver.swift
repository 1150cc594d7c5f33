#if Drivers && os(Linux)
import CLibXML2
import PortolanWeb

/// Runs libxml2's push parser on a document.
enum XMLDriver {
    /// The chunk size, so that an error early in a document ends the parsing early.
    private static let pieceSize = 1 << 16
    private static let isLibraryReady: Bool = {
        xmlInitParser()
        return true
    }()

    /// Parses `input` into `accountant` and returns warnings.
    static func run(
        _ input: XMLInput, into accountant: XMLAccountant, limits: XMLLimits
    ) throws(XMLError) -> [MapWarning] {
        precondition(isLibraryReady)
        let session = LibXMLSession(accountant: accountant, firstLine: input.firstLine)
        guard session.isOpen else {
            throw XMLError(.limit("not enough memory for the XML parser"), line: 1)
        }
        var scanner = XMLTagScanner(limits: limits, line: input.firstLine)
        var place = input.start
        let bytes = input.bytes.span
        while place < bytes.count {
            let piece = bytes.extracting(place..<min(place + pieceSize, bytes.count))
            try scanner.scan(piece)
            try session.feed(piece)
            place += piece.count
        }
        try session.finish()
        return session.warnings
    }
}

/// A libxml2 parser with the results of its callbacks.
///
/// Safe outside: the parser is created and freed here, its callbacks receive this object unretained and only while
/// `feed` or `finish` runs, and each pointer passed to them is read within the callback, up to the length that libxml2
/// states.
@safe final class LibXMLSession {
    private static let warningLimit = 20
    /// The maximum number of attributes with default values per element type.
    private static let defaultedAttributeLimit = 32
    /// The maximum number of bytes that default values may add to a document.
    private static let defaultedByteLimit = 4 << 20

    private let accountant: XMLAccountant
    private let lineOffset: Int
    private var parser: xmlParserCtxtPtr?
    /// libxml2 keeps one copy of each name for the lifetime of the parser, so its address identifies it.
    private var names: [UnsafePointer<xmlChar>: String] = unsafe [:]
    /// The names of elements and attributes by the addresses of their parts.
    private var qualifiedNames: [NameAddress: XMLName] = [:]
    /// A direct-mapped cache of these names by some bits of their addresses, checked first.
    private var nearNames = [(address: NameAddress, name: XMLName?)](
        repeating: (NameAddress(local: 0, prefix: 0, namespace: 0), nil), count: LibXMLSession.nearNameCount)
    private static let nearNameCount = 256
    private let values = XMLAttributeValues()

    private struct NameAddress: Hashable {
        let local: UInt
        let prefix: UInt
        let namespace: UInt
    }

    private var defaultedAttributeCounts: [String: Int] = [:]
    private var defaultedByteCount = 0
    /// The parameter entity whose declaration is being read.
    private var declaredEntity: String?
    private var failure: XMLError?
    /// The warnings.
    private(set) var warnings: [MapWarning] = []

    init(accountant: XMLAccountant, firstLine: Int) {
        self.accountant = accountant
        lineOffset = firstLine - 1
        var callbacks = unsafe Self.callbacks()
        unsafe parser = xmlCreatePushParserCtxt(
            &callbacks, Unmanaged.passUnretained(self).toOpaque(), nil, 0, nil)
        if let parser = unsafe parser {
            _ = unsafe xmlCtxtUseOptions(parser, Int32(XML_PARSE_NONET.rawValue))
        }
    }

    deinit {
        guard let parser = unsafe parser else { return }
        // An entity declaration makes libxml2 create a document, which the parser does not free.
        if let document = unsafe parser.pointee.myDoc { unsafe xmlFreeDoc(document) }
        unsafe parser.pointee.myDoc = nil
        unsafe xmlFreeParserCtxt(parser)
    }

    /// Whether the parser could be created.
    var isOpen: Bool { unsafe parser != nil }

    /// Parses the next bytes.
    func feed(_ bytes: Span<UInt8>) throws(XMLError) {
        unsafe bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return }
            _ = unsafe xmlParseChunk(parser, base.assumingMemoryBound(to: CChar.self), Int32(buffer.count), 0)
        }
        if let failure { throw failure }
    }

    /// Ends the input.
    func finish() throws(XMLError) {
        _ = unsafe xmlParseChunk(parser, nil, 0, 1)
        if let failure { throw failure }
        guard let parser = unsafe parser, unsafe parser.pointee.wellFormed != 0 else {
            throw XMLError(.notWellFormed("unexpected end of document"), line: line)
        }
    }

    private var line: Int {
        guard let parser = unsafe parser, let input = unsafe parser.pointee.input else { return lineOffset + 1 }
        return unsafe Int(input.pointee.line) + lineOffset
    }

    private func fail(_ error: XMLError) {
        if failure == nil { failure = error }
        unsafe xmlStopParser(parser)
    }

    private func perform(_ action: () throws(XMLError) -> Void) {
        guard failure == nil else { return }
        do { try action() } catch { fail(error) }
    }

    private func name(_ pointer: UnsafePointer<xmlChar>?) -> String {
        guard let pointer = unsafe pointer else { return "" }
        if let known = unsafe names[pointer] { return known }
        let name = unsafe String(cString: pointer)
        unsafe names[pointer] = name
        return name
    }

    private func name(
        _ local: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>?, _ namespace: UnsafePointer<xmlChar>?
    ) -> XMLName {
        let address = NameAddress(
            local: UInt(bitPattern: local), prefix: UInt(bitPattern: prefix), namespace: UInt(bitPattern: namespace))
        let bits = address.local ^ address.prefix &<< 1
        let slot = Int((bits ^ bits >> 8) & UInt(Self.nearNameCount - 1))
        if nearNames[slot].address == address, let name = nearNames[slot].name { return name }
        let name =
            if let known = qualifiedNames[address] { known } else {
                unsafe XMLName(
                    local: self.name(local), prefix: self.name(prefix),
                    namespace: namespace.map { unsafe self.name($0) })
            }
        qualifiedNames[address] = name
        nearNames[slot] = (address, name)
        return name
    }

    // MARK: Callbacks

    private static func session(_ user: UnsafeMutableRawPointer?) -> LibXMLSession? {
        guard let user = unsafe user else { return nil }
        return unsafe Unmanaged<LibXMLSession>.fromOpaque(user).takeUnretainedValue()
    }

    private static func callbacks() -> xmlSAXHandler {
        var callbacks = unsafe xmlSAXHandler()
        unsafe callbacks.initialized = UInt32(XML_SAX2_MAGIC)
        unsafe callbacks.startElementNs = {
            user, name, prefix, namespace, namespaceCount, _, attributeCount, defaultedCount, attributes in
            unsafe LibXMLSession.session(user)?.start(
                name, prefix, namespace, namespaceCount: Int(namespaceCount), attributes, count: Int(attributeCount),
                defaultedCount: Int(defaultedCount))
        }
        unsafe callbacks.endElementNs = { user, _, _, _ in
            guard let session = unsafe LibXMLSession.session(user) else { return }
            session.perform { () throws(XMLError) in try session.accountant.endElement() }
        }
        let characters: charactersSAXFunc = { user, text, length in
            unsafe LibXMLSession.session(user)?.text(text, length, isVerbatim: false)
        }
        unsafe callbacks.characters = characters
        unsafe callbacks.ignorableWhitespace = unsafe characters
        unsafe callbacks.cdataBlock = { user, text, length in
            unsafe LibXMLSession.session(user)?.text(text, length, isVerbatim: true)
        }
        unsafe callbacks.getEntity = { user, name in
            guard let name = unsafe name else { return nil }
            if let predefined = unsafe xmlGetPredefinedEntity(name) { return unsafe predefined }
            unsafe LibXMLSession.session(user)?.refuseEntity(String(cString: name))
            return nil
        }
        unsafe callbacks.entityDecl = { user, name, type, _, _, _ in
            guard let name = unsafe name, type == XML_INTERNAL_PARAMETER_ENTITY.rawValue else { return }
            unsafe LibXMLSession.session(user)?.declaredEntity = unsafe String(cString: name)
        }
        unsafe callbacks.getParameterEntity = { user, name in
            guard let name = unsafe name else { return nil }
            unsafe LibXMLSession.session(user)?.refuseParameterEntity(String(cString: name))
            return nil
        }
        unsafe callbacks.attributeDecl = { user, element, _, _, _, value, values in
            unsafe xmlFreeEnumeration(values)
            guard let element = unsafe element, unsafe value != nil else { return }
            unsafe LibXMLSession.session(user)?.countDefaultedAttribute(of: String(cString: element))
        }
        unsafe callbacks.serror = { _, error in
            // The user data is the session, except for errors in a DTD, where it is the parser; the error always refers
            // to the parser.
            guard let error = unsafe error, let parser = unsafe error.pointee.ctxt else { return }
            let user = unsafe parser.assumingMemoryBound(to: xmlParserCtxt.self).pointee.userData
            unsafe LibXMLSession.session(user)?.report(
                code: error.pointee.code, isFatal: error.pointee.level == XML_ERR_FATAL,
                message: error.pointee.message.map { unsafe String(cString: $0) } ?? "",
                line: Int(error.pointee.line), column: Int(error.pointee.int2))
        }
        return unsafe callbacks
    }

    private func start(
        _ name: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>?, _ namespace: UnsafePointer<xmlChar>?,
        namespaceCount: Int, _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, count: Int,
        defaultedCount: Int
    ) {
        guard failure == nil else { return }
        let line = line
        do {
            try accountant.admit(attributeCount: count, namespaceCount: namespaceCount, line: line)
        } catch {
            return fail(error)
        }
        values.removeAll()
        if let attributes = unsafe attributes, count > 0 {
            // Five pointers per attribute: local name, prefix, namespace, start and end of the value.
            for index in 0..<count {
                let fields = unsafe attributes + 5 * index
                let start = values.byteCount
                if let first = unsafe fields[3], let end = unsafe fields[4], unsafe first < end {
                    // Attributes with default values come last.
                    if index >= count - defaultedCount {
                        defaultedByteCount += unsafe end - first
                        guard defaultedByteCount <= Self.defaultedByteLimit else {
                            let most = Self.defaultedByteLimit
                            return fail(XMLError(.limit("default values exceed \(most) bytes"), line: line))
                        }
                    }
                    append(unsafe UnsafeBufferPointer(start: first, count: end - first).span)
                }
                unsafe values.end(self.name(fields[0], fields[1], nil), from: start)
            }
        }
        let tag = unsafe XMLStartTag(qualifiedName: self.name(name, prefix, namespace), line: line, values: values)
        let nameCount = unsafe names.count
        perform { () throws(XMLError) in
            try accountant.admit(nameCount: nameCount, line: line)
            try accountant.startElement(tag)
        }
    }

    /// Appends a value.
    ///
    /// libxml2 always reports an ampersand as a reference, and resolves all others.
    private func append(_ value: Span<UInt8>) {
        var rest = 0..<0
        for place in value.indices where value[place] == UInt8(ascii: "&") && place >= rest.upperBound {
            guard place + 5 <= value.count, value[place + 1] == UInt8(ascii: "#"),
                value[place + 2] == UInt8(ascii: "3"), value[place + 3] == UInt8(ascii: "8"),
                value[place + 4] == UInt8(ascii: ";")
            else { continue }
            values.append(value.extracting(rest.upperBound..<(place + 1)))
            rest = place..<(place + 5)
        }
        values.append(value.extracting(rest.upperBound...))
    }

    private func text(_ first: UnsafePointer<xmlChar>?, _ length: Int32, isVerbatim: Bool) {
        guard failure == nil, let first = unsafe first, length > 0 else { return }
        let span = unsafe UnsafeBufferPointer(start: first, count: Int(length)).span
        do {
            if isVerbatim { try accountant.verbatim(span) } else { try accountant.text(span) }
        } catch { fail(error) }
    }

    private func refuseEntity(_ name: String) {
        // libxml2 also looks up a general entity at its declaration; only its use is refused.
        if let parser = unsafe parser, unsafe parser.pointee.inSubset != 0 { return }
        fail(XMLError(.entity(name), line: line))
    }

    private func refuseParameterEntity(_ name: String) {
        // A parameter entity is also looked up at its declaration: the documents of WMS 1.0.0 declare their formats
        // this way.
        defer { declaredEntity = nil }
        guard name != declaredEntity else { return }
        fail(XMLError(.entity("%" + name), line: line))
    }

    private func countDefaultedAttribute(of element: String) {
        // Each default is added to each element of its type, so that a small document could cause unbounded work.
        let count = defaultedAttributeCounts[element, default: 0] + 1
        defaultedAttributeCounts[element] = count
        guard count > Self.defaultedAttributeLimit else { return }
        let most = Self.defaultedAttributeLimit
        fail(XMLError(.limit("an element has more than \(most) attributes with default values"), line: line))
    }

    private func report(code: Int32, isFatal: Bool, message: String, line: Int, column: Int) {
        guard failure == nil else { return }
        var words = message[...]
        while words.last?.isWhitespace == true { words.removeLast() }
        words = String(words.prefix(300)).inOneLine[...]
        let line = max(line, 1) + lineOffset
        if isFatal {
            let isEmpty = code == XML_ERR_DOCUMENT_EMPTY.rawValue
            let text = isEmpty ? "expected '<' at the beginning" : String(words)
            failure = XMLError(.notWellFormed(text), line: line, column: column > 0 ? column : nil)
        } else if warnings.count < Self.warningLimit {
            warnings.append(MapWarning(markupAt: line, String(words)))
        }
    }
}
#endif
