import PortolanWeb

/// The title, the rights and the time of a document, as its information dictionary and as XMP (ISO 16684-1).
struct PDFMetadata {
    private let title: String?
    private let rights: String?
    /// The time of creation as in ISO 8601, or `nil`.
    private let time: String?
    private static let creator = "Portolan"

    /// Creates metadata; empty texts are omitted.
    init(title: String?, rights: String?, time: Int? = nil) {
        self.title = title.flatMap { $0.isEmpty ? nil : $0 }
        self.rights = rights.flatMap { $0.isEmpty ? nil : $0 }
        self.time = time.flatMap { ISOTime.text(Double($0)) }
    }

    /// Writes both, and returns their object numbers.
    func write(to file: inout PDFFile) -> (info: Int, packet: Int) {
        let title = title.map { "/Title \(PDFText.string($0))" } ?? ""
        // A date is written as D:20261127081500Z (ISO 32000-1, clause 7.9.4).
        let date = time.map { time in "(D:\(String(time.filter { !"-:T".contains($0) })))" }
        let dates = date.map { "/CreationDate\($0)/ModDate\($0)" } ?? ""
        let info = file.add("<<\(title)\(dates)/Creator(\(Self.creator))/Producer(\(Self.creator))>>")
        return (info, file.add(stream: packet, "/Type/Metadata/Subtype/XML", filter: ""))
    }

    private var packet: [UInt8] {
        var packet = SVGWriter()
        packet.add("<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n")
        packet.add(
            """
            <x:xmpmeta xmlns:x="adobe:ns:meta/">
             <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
              <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
               xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/">
               <dc:format>application/pdf</dc:format>
               <xmp:CreatorTool>\(Self.creator)</xmp:CreatorTool>
               <pdf:Producer>\(Self.creator)</pdf:Producer>

            """)
        if let time {
            packet.add("   <xmp:CreateDate>\(time)</xmp:CreateDate>\n   <xmp:ModifyDate>\(time)</xmp:ModifyDate>\n")
        }
        for (name, text) in [("title", title), ("rights", rights)] {
            guard let text else { continue }
            packet.add("   <dc:\(name)><rdf:Alt><rdf:li xml:lang=\"x-default\">")
            packet.add(escaping: text)
            packet.add("</rdf:li></rdf:Alt></dc:\(name)>\n")
        }
        packet.add("  </rdf:Description>\n </rdf:RDF>\n</x:xmpmeta>\n<?xpacket end=\"r\"?>")
        return packet.bytes
    }
}
