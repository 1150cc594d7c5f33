import PortolanServices
import Testing

@Suite struct XYZTemplateTests {
    @Test(arguments: [
        ("http://t/{z}/{x}/{y}.png", "http://t/3/5/1.png"), ("http://t/{z}/{x}/{-y}.png", "http://t/3/5/6.png"),
        ("http://{s}.t/{z}/{x}/{y}{r}.png", "http://a.t/3/5/1.png"), ("http://t/{q}.jpeg?k=v", "http://t/103.jpeg?k=v"),
        ("http://t/a b/{z}/{x}/{y}?a=%20", "http://t/a%20b/3/5/1?a=%20"),
    ])
    func `placeholders are filled in`(template: String, url: String) throws {
        let template = try XYZTemplate(template)

        #expect(template.url(level: 3, column: 5, row: 1, rowCount: 8) == url)
    }

    @Test func `the quadkey is that of the published example`() throws {
        #expect(try XYZTemplate("{q}").url(level: 3, column: 3, row: 5, rowCount: 8) == "213")
        #expect(try XYZTemplate("x{q}").url(level: 0, column: 0, row: 0, rowCount: 1) == "x")
    }

    @Test func `finer pixels are asked for by name`() throws {
        let template = try XYZTemplate("{z}/{x}/{y}{r}.png")
        #expect(template.url(level: 0, column: 0, row: 0, rowCount: 1, isRetina: true) == "0/0/0@2x.png")
        #expect(template.hasRetina)
    }

    @Test func `subdomains take turns by place`() throws {
        let template = try XYZTemplate("{s}/{z}/{x}/{y}", subdomains: ["1", "2"])
        let hosts = (0..<4).map { template.url(level: 2, column: $0, row: 1, rowCount: 4).prefix(1) }
        #expect(hosts == ["2", "1", "2", "1"])
    }

    @Test(arguments: [
        ("http://t/{z/{x}/{y}", XYZTemplateError.unknownPlaceholder("z/{x")),
        ("http://t/{z}/{x}/{y", .unclosedBrace(offset: 17)),
        ("{z}/{x}/{Y}", .unknownPlaceholder("Y")),
        ("{z}/{x}", .missingPlaceholder("{y} or {-y}")),
        ("{z}/{y}", .missingPlaceholder("{x}")),
        ("{x}/{y}", .missingPlaceholder("{z}")),
        ("http://t", .missingPlaceholder("{z}")),
        ("{}", .unknownPlaceholder("")),
    ])
    func `templates that cannot work are refused`(template: String, error: XYZTemplateError) {
        #expect(throws: error) { try XYZTemplate(template) }
    }

    @Test func `subdomains must be there when asked for`() {
        #expect(throws: XYZTemplateError.noSubdomains) { try XYZTemplate("{s}{z}{x}{y}", subdomains: []) }
    }
}
