extension ImageFormat {
    /// The format whose signature `bytes` start with, or `nil` when there is none.
    ///
    /// Servers send errors as text under an image's media type, so the bytes are believed and not the header.
    /// - Complexity: O(1); at most the first kibibyte is looked at.
    public init?(recognizing bytes: [UInt8]) {
        let head = bytes.prefix(1024)
        func starts(_ signature: [UInt8], at offset: Int = 0) -> Bool { head.dropFirst(offset).starts(with: signature) }
        if starts([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
            self = .png
        } else if starts([0xff, 0xd8, 0xff]) {
            self = .jpeg
        } else if starts(Array("GIF87a".utf8)) || starts(Array("GIF89a".utf8)) {
            self = .gif
        } else if starts(Array("RIFF".utf8)), starts(Array("WEBP".utf8), at: 8) {
            self = .webp
        } else if Self.tiffSignatures.contains(where: { starts($0) }) {
            self = .tiff
        } else if starts(Array("BM".utf8)), starts([0, 0, 0, 0], at: 6) {
            self = .bmp
        } else if starts(Array("%PDF-".utf8)) {
            self = .pdf
        } else if Self.isSVG(head) {
            self = .svg
        } else {
            return nil
        }
    }

    /// The byte order mark, then 42 for classic TIFF or 43 for BigTIFF.
    private static let tiffSignatures: [[UInt8]] = [
        [0x49, 0x49, 0x2a, 0], [0x4d, 0x4d, 0, 0x2a], [0x49, 0x49, 0x2b, 0], [0x4d, 0x4d, 0, 0x2b],
    ]

    /// Whether the text is XML whose first element is `svg`, behind a declaration, comments or a document type.
    private static func isSVG(_ head: ArraySlice<UInt8>) -> Bool {
        var rest = head.starts(with: [0xef, 0xbb, 0xbf]) ? head.dropFirst(3) : head
        while true {
            rest = rest.drop { $0 == 0x20 || (0x09...0x0d).contains($0) }
            if rest.starts(with: "<svg".utf8) {
                guard let next = rest.dropFirst(4).first else { return true }
                return next == 0x3e || next == 0x2f || next == 0x20 || (0x09...0x0d).contains(next)
            }
            let isComment = rest.starts(with: "<!--".utf8)
            guard isComment || rest.starts(with: "<?".utf8) || rest.starts(with: "<!DOCTYPE svg".utf8) else {
                return false
            }
            repeat {
                rest = rest.drop { $0 != 0x3e }.dropFirst()
            } while isComment && !rest.isEmpty && !Self.endsComment(head, at: rest.startIndex)
        }
    }

    private static func endsComment(_ head: ArraySlice<UInt8>, at index: Int) -> Bool {
        index >= 3 && head[index - 2] == 0x2d && head[index - 3] == 0x2d
    }
}
