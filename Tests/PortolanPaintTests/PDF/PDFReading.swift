import Foundation
import PortolanZip
import Testing

/// The objects of a PDF document, read by its cross-reference table.
struct PDFReading {
    /// The content of the objects by number, without their streams.
    private(set) var objects: [Int: String] = [:]
    /// The decompressed streams by object number.
    private(set) var streams: [Int: [UInt8]] = [:]
    let trailer: String
    /// The numbers of the objects in the order of their positions.
    private(set) var order: [Int] = []

    init(_ bytes: [UInt8]) throws {
        // One character per byte, so that positions are those of the file.
        let text = Array(bytes)
        func string(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
        func find(_ word: String, from start: Int) -> Int? {
            let word = Array(word.utf8)
            guard text.count >= word.count else { return nil }
            return (start...(text.count - word.count)).first { text[$0..<$0 + word.count].elementsEqual(word) }
        }
        try #require(string(0..<8) == "%PDF-1.7")
        let tail = String(decoding: text.suffix(200), as: UTF8.self)
        let start = try #require(tail.firstMatch(of: /startxref\n(\d+)\n%%EOF\n$/).flatMap { Int($0.1) })
        let table = String(decoding: text[start...], as: UTF8.self)
        let count = try #require(table.firstMatch(of: /^xref\n0 (\d+)\n/).flatMap { Int($0.1) })
        let first = start + "xref\n0 \(count)\n".utf8.count
        trailer = table.components(separatedBy: "trailer\n").last ?? ""
        var positions: [(position: Int, number: Int)] = []
        for number in 0..<count {
            let line = string(first + number * 20..<first + number * 20 + 20)
            if line.hasSuffix(" 00000 n \n") { positions.append((try #require(Int(line.prefix(10))), number)) }
        }
        positions.sort { $0.position < $1.position }
        order = positions.map(\.number)
        for (position, number) in positions {
            let head = "\(number) 0 obj\n"
            try #require(string(position..<position + head.utf8.count) == head)
            let begin = position + head.utf8.count
            let end = try #require(find("\nendobj\n", from: begin))
            guard let stream = find("\nstream\n", from: begin), stream < end else {
                objects[number] = string(begin..<end)
                continue
            }
            let dictionary = string(begin..<stream)
            objects[number] = dictionary
            let length = try #require(dictionary.firstMatch(of: /\/Length (\d+)>>$/).flatMap { Int($0.1) })
            let data = text[stream + 8..<stream + 8 + length]
            try #require(string(stream + 8 + length..<stream + 8 + length + 18) == "\nendstream\nendobj\n")
            streams[number] =
                dictionary.contains("/FlateDecode")
                ? try CompressedContent.zlib.unpack(data, byteLimit: 1 << 26) : Array(data)
        }
    }

    /// The number of the first object that contains a text.
    func number(of text: String) throws -> Int { try #require(order.first { objects[$0]?.contains(text) == true }) }

    /// The text of an object's stream.
    func text(_ number: Int) -> String { String(decoding: streams[number] ?? [], as: UTF8.self) }

    /// The operators of all pages and forms, in the order of their positions.
    var content: String {
        order.filter { number in
            guard let object = objects[number] else { return false }
            return object.contains("/Subtype/Form") || streams[number] != nil && !object.contains("/Type")
        }.map(text).joined()
    }
}
