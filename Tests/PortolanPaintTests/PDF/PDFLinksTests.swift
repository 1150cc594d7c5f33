import Foundation
import PortolanCodecs
import PortolanPaint
import PortolanPlan
import PortolanRaster
import PortolanWeb
import Testing

/// What a document has beside its drawing: dates, links, and images as they came.
@Suite struct PDFLinksTests {
    private static func document(
        _ furniture: Furniture, page: PrintPage? = nil, options: PDFOptions = PDFOptions()
    ) throws -> PDFReading {
        var sample = SampleScene()
        (sample.width, sample.height) = (500, 200)
        let scene = Scene(viewport: try sample.viewport(), background: .white, layers: [])
        let painter = MapPainter(
            scene: scene, images: [:], fonts: SampleScene.fonts, furniture: furniture, page: page)
        let sink = PDFTargetTests.Sink()
        try painter.pdf(options) { sink.bytes += $0 }
        return try PDFReading(sink.bytes)
    }

    /// The rectangles of links with their actions, in points.
    private static func links(_ document: PDFReading) -> [(box: [Double], action: String)] {
        document.objects.values.flatMap { object in
            object.matches(of: /\/Rect\[([^\]]*)\]\/Border\[0 0 0\]\/F 4(.*?)>>(?=<<|\])/).map { match in
                (match.1.split(separator: " ").compactMap { Double($0) }, String(match.2))
            }
        }
    }

    @Test func `the time of creation is stated in both forms, and there is none unless it is given`() throws {
        let dated = try Self.document(Furniture(), options: PDFOptions(creationTime: 1_764_230_400))
        let information = try dated.objects[dated.number(of: "/Creator")]
        #expect(information?.contains("/CreationDate(D:20251127080000Z)/ModDate(D:20251127080000Z)") == true)
        let packet = dated.text(try dated.number(of: "/Type/Metadata"))
        #expect(packet.contains("<xmp:CreateDate>2025-11-27T08:00:00Z</xmp:CreateDate>"))
        let plain = try Self.document(Furniture())
        #expect(try plain.objects[plain.number(of: "/Creator")]?.contains("Date") == false)
        #expect(try !plain.text(plain.number(of: "/Type/Metadata")).contains("Date>"))
    }

    #if Text
    @Test func `the parts of an attribution lead to their pages`() throws {
        var furniture = Furniture(attribution: "© A · © B (https://b.example/terms)")
        furniture.attributionLinks =
            [AttributionLink(text: "© A", address: "https://a.example/")].compactMap(\.self)
            + AttributionLink.written(in: furniture.attribution ?? "")
        let links = Self.links(try Self.document(furniture)).sorted { $0.box[0] < $1.box[0] }
        try #require(links.count == 2)
        #expect(links[0].action.contains("/S/URI/URI(https://a.example/)"))
        #expect(links[1].action.contains("/S/URI/URI(https://b.example/terms)"))
        // In reading order on the last line of the picture.
        #expect(links[0].box[2] < links[1].box[0])
        #expect(links.allSatisfy { $0.box[1] >= 0 && $0.box[3] < 20 && $0.box[2] > $0.box[0] })
    }

    @Test func `the marks of neighbouring pages avoid the attribution and each other`() throws {
        var furniture = Furniture(attribution: "© A")
        furniture.attributionLinks = [AttributionLink(text: "© A", address: "https://a.example/")].compactMap(\.self)
        let page = PrintPage(neighbors: [
            PrintPage.Neighbor(side: .bottom, position: 1, text: "7", page: 0),
            PrintPage.Neighbor(side: .right, position: 1, text: "8", page: 0),
            PrintPage.Neighbor(side: .right, position: 0.9, text: "9", page: 0),
        ])
        let links = Self.links(try Self.document(furniture, page: page))
        try #require(links.count == 4)
        for (index, one) in links.enumerated() {
            for other in links.dropFirst(index + 1) {
                let isApart =
                    one.box[2] <= other.box[0] || other.box[2] <= one.box[0] || one.box[3] <= other.box[1]
                    || other.box[3] <= one.box[1]
                #expect(isApart, "\(one) \(other)")
            }
        }
    }
    #endif

    private static func photo() throws -> PixelBuffer {
        var photo = PixelBuffer(size: try SampleScene.size(300, 200))
        for y in 0..<200 {
            for x in 0..<300 {
                photo[x, y] = Pixel(MapColor(red: UInt8(x * 255 / 299), green: UInt8(y), blue: UInt8((x + y) / 2)))
            }
        }
        return photo
    }

    @Test func `a JPEG image is passed on as it came unless its pixels have changed`() throws {
        let bytes = try JPEGEncoder.encode(Self.photo(), quality: 90)
        let count = try #require(JPEGSegments.embeddableChannelCount(of: bytes))
        #expect(count == 3)
        var image = try ImageDecoders.standard.decode(bytes)
        image.original = JPEGOriginal(bytes, channelCount: count, of: image)
        let half = AffineTransform.scale(x: 0.1, y: 0.1)
        let passed = try PDFTargetTests.document { $0.draw(image, transform: half) }
        let number = try passed.number(of: "/DCTDecode")
        #expect(passed.streams[number] == bytes)
        #expect(
            passed.objects[number]?.contains("/Width 300/Height 200/BitsPerComponent 8/ColorSpace/DeviceRGB") == true)
        let copy = image
        image[0, 0] = Pixel(.white)
        #expect(image.original == nil && copy.original != nil)
        let changed = try PDFTargetTests.document { $0.draw(image, transform: half) }
        #expect(changed.objects.values.allSatisfy { !$0.contains("/DCTDecode") })
    }
}
