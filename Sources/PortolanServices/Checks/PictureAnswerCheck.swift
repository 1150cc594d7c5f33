import PortolanWeb

/// Checks what came for a picture: a map, a tile, a legend.
public enum PictureAnswerCheck {
    /// What is to be said of an answer whose bytes are a picture.
    ///
    /// - Parameters:
    ///   - found: the media type that the first bytes tell.
    ///   - asked: the format asked for, or `nil` when any will do.
    ///   - declared: the Content-Type.
    public static func findings(
        found: String, asked: String?, declared: String?, subject: String
    ) -> [Finding] {
        var list = FindingList()
        let wanted = asked.map { Self.type($0) }
        // A PNG asked for as image/png8 or image/vnd.jpeg-png is one.
        if let wanted, wanted != found, ["image/png", "image/jpeg", "image/gif"].contains(wanted) {
            list.add(
                .deviation, .pictureFormat, subject,
                "\(wanted) was asked for and \(found) came; a client that goes by the name of the format fails",
                remedy: "draw in the format that is asked for, or do not offer it")
        }
        guard let declared else {
            list.add(
                .deviation, .pictureType, subject, "the picture has no Content-Type",
                remedy: "send \(found)")
            return list.findings
        }
        if Self.type(declared) != found {
            list.add(
                .deviation, .pictureType, subject, "the picture is declared as '\(declared)' and is \(found)",
                remedy: "send \(found) as its Content-Type")
        }
        return list.findings
    }

    /// A media type in small letters, without parameters and in its usual spelling.
    private static func type(_ text: String) -> String {
        MediaType(WMSFormat(text).mediaType).registered
    }
}
