/// Reads XML documents of strangers: with limits, without entities and without ever opening another file or address.
///
/// Read are UTF-8, UTF-16 and the 8-bit and East Asian encodings the platform knows. A byte order mark and white space
/// before the XML declaration do no harm; prefixes that are not declared and other breaches of *Namespaces in XML*
/// become warnings. A document type declaration with an internal subset is passed over, the external one never fetched.
/// Follows W3C XML 1.0 (fifth edition); where that asks to expand an entity, reading ends with ``XMLError``.
package struct XMLReader: Sendable {
    /// What larger documents are refused by.
    package let limits: XMLLimits

    package init(limits: XMLLimits = XMLLimits()) {
        self.limits = limits
    }

    /// Reads `bytes` and tells `handler` what is in them.
    ///
    /// Events that came before an error have been told.
    ///
    /// - Returns: what was odd but harmless, at most 20 lines.
    /// - Complexity: linear in the number of bytes.
    package func read(_ bytes: [UInt8], into handler: any XMLHandler) throws(XMLError) -> [String] {
        guard bytes.count <= limits.byteCount else {
            throw XMLError(.limit("the document is longer than \(limits.byteCount) bytes"), line: 1)
        }
        let input = try XMLInput(bytes)
        let accountant = XMLAccountant(handler: handler, limits: limits)
        let warnings = try XMLDriver.run(input, into: accountant, limits: limits)
        return input.warnings + warnings
    }

    /// Reads `bytes` into a tree.
    ///
    /// - Complexity: linear in the number of bytes, in time and in memory.
    package func tree(of bytes: [UInt8]) throws(XMLError) -> XMLTree {
        let builder = XMLTreeBuilder()
        let warnings = try read(bytes, into: builder)
        guard let root = builder.root else { throw XMLError(.empty, line: 1) }
        return XMLTree(root: root, warnings: warnings)
    }
}
