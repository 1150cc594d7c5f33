import PortolanFetch
import PortolanServerCore
import Testing

@Suite struct ServerRequestTests {
    @Test(arguments: [
        ("/", []), ("/tiles/a/0/0/0.png", ["tiles", "a", "0", "0", "0.png"]), ("/a/", ["a"]),
        ("/a%2Fb/c%20d", ["a/b", "c d"]), ("/a//b", ["a", "", "b"]), ("/a+b", ["a+b"]), ("/a#b", ["a"]),
        ("/%C3%A4", ["ä"]),
    ])
    func `a path is split at its slashes and then decoded`(target: String, parts: [String]) throws {
        #expect(try ServerRequest("GET", target).path == parts)
    }

    @Test(arguments: [
        ("/?a=1&b=2", ["a": "1", "b": "2"]), ("/?a=x+y%2Bz", ["a": "x y+z"]), ("/?a", ["a": ""]),
        ("/?a=b=c", ["a": "b=c"]), ("/?", [:]), ("/?a=1?2", ["a": "1?2"]),
    ])
    func `a query is parsed like a form`(target: String, items: [String: String]) throws {
        let query = try ServerRequest("GET", target).query
        #expect(Dictionary(uniqueKeysWithValues: query.items.map { ($0.name, $0.value) }) == items)
    }

    @Test(arguments: ["/%", "/%zz", "/a?b=%", "/%FF", "/?a=%C3"])
    func `an invalid percent-encoding is a problem`(target: String) {
        #expect(throws: Problem.self) { try ServerRequest("GET", target) }
    }

    @Test func `WMS parameter names are case-insensitive`() throws {
        #expect(try ServerRequest("GET", "/wms?ReQuest=GetMap").query[anyCase: "REQUEST"] == "GetMap")
    }

    @Test(arguments: [
        (["\"abc\""], true), (["W/\"abc\""], true), (["\"x\", \"abc\""], true),
        (["\"x\"", "W/\"y\"\t,W/\"abc\""], true),
        (["*"], true), ([" *\t"], true), (["\"x\",,\"abc\""], true), (["\"a,b\", \"abc\""], true),
        (["\"abd\""], false), (["abc"], false), ([""], false), (["*", "\"x\""], false), (["w/\"abc\""], false),
        (["\"x,abc\""], false), (["\"abc"], false), (["abc\""], false), (["\"x\"abc\""], false),
    ])
    func `RFC 9110 section 13_1_2: If-None-Match names tags in a list, weak ones too`(values: [String], isNamed: Bool) {
        let tag = EntityTag(of: ["a"])
        #expect(tag.isNamed(by: values.map { $0.replacing("abc", with: tag.text) }) == isNamed)
    }

    @Test(arguments: [("GET", true), ("HEAD", true), ("POST", false), ("DELETE", false)])
    func `RFC 9110 section 13_1_2: only GET and HEAD are conditional`(method: String, isKnown: Bool) throws {
        let request = try ServerRequest(method, "/", headers: [HTTPHeader(name: "if-none-match", value: "*")])
        #expect(request.knows(EntityTag(of: ["a"])) == isKnown)
        #expect(try !ServerRequest(method, "/").knows(EntityTag(of: ["a"])))
    }

    @Test func `tags of different parts differ even if the joined parts are equal`() {
        #expect(EntityTag(of: ["ab", "c"]) != EntityTag(of: ["a", "bc"]))
        #expect(EntityTag(of: ["ab", "c"]) == EntityTag(of: ["ab", "c"]))
    }

    @Test func `RFC 9457: a problem states the status, the key and the position`() throws {
        let response = Problem(.tooManyRequests, "slow\ndown", key: "path", position: 3, retryAfter: 7).response
        #expect(response.status == 429)
        #expect(response[header: "content-type"] == "application/problem+json")
        #expect(response[header: "Retry-After"] == "7")
        #expect(response[header: "Cache-Control"] == "no-store")
        let text = String(decoding: response.body, as: UTF8.self)
        #expect(text.contains("\"status\":429") && text.contains("\"key\":\"path\"") && text.contains("\"position\":3"))
    }
}
