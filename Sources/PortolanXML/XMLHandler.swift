/// What receives the events of a document as it is read.
///
/// Each error thrown ends the reading and comes out of ``XMLReader/read(_:into:)``.
package protocol XMLHandler: AnyObject {
    /// An element begins.
    func startElement(_ tag: XMLStartTag) throws(XMLError)
    /// Text inside the innermost open element, UTF-8, in pieces of any length; CDATA sections are text.
    func text(_ utf8: Span<UInt8>) throws(XMLError)
    /// The innermost open element ends.
    func endElement() throws(XMLError)
}
