import Foundation
import PortolanCodecs
import PortolanRaster
import PortolanTesting
import Testing

/// Pictures that were looked at once and must not change by a bit.
///
/// With `PORTOLAN_BLESS=1` in the environment the pictures are written instead of compared, and the tests fail all the
/// same: a picture is blessed by looking at it.
enum Golden {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")

    static func check(_ image: PixelBuffer, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let file = folder.appending(path: "\(name).png")
        let actual = try PNGEncoder.encode(image)
        if ProcessInfo.processInfo.environment["PORTOLAN_BLESS"] == "1" {
            try Data(actual).write(to: file)
            Issue.record("\(name).png was written, not compared", sourceLocation: sourceLocation)
            return
        }
        let expected = try ImageDecoders.standard.decode([UInt8](Data(contentsOf: file)))
        let difference = PictureDifference(image, expected)
        guard difference?.isNone != true else { return }
        Attachment.record(actual, named: "\(name)-actual.png", sourceLocation: sourceLocation)
        if let picture = difference?.picture {
            Attachment.record(
                try PNGEncoder.encode(picture), named: "\(name)-difference.png", sourceLocation: sourceLocation)
        }
        let detail = difference?.description ?? "\(image.size) instead of \(expected.size)"
        Issue.record("\(name).png: \(detail)", sourceLocation: sourceLocation)
    }
}
