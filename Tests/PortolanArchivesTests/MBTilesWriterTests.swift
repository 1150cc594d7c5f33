#if Storage
import PortolanArchives
import PortolanSQLite
import TestHelpers
import Testing

@Suite struct MBTilesWriterTests {
    static let tiles = [
        MBTile(level: 3, column: 1, row: 0, bytes: [1]), MBTile(level: 3, column: 2, row: 0, bytes: nil),
        MBTile(level: 3, column: 1, row: 7, bytes: [2]),
    ]

    @Test func `writing can be resumed, and the finished file is readable`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.mbtiles"
        do {
            let writer = try MBTilesWriter(path: path, job: "x")
            try writer.write(Self.tiles)
        }
        let again = try MBTilesWriter(path: path, job: "x")
        #expect(try again.columnsDone(level: 3, row: 0) == [1, 2] && again.columnsDone(level: 3, row: 7) == [1])
        #expect(try again.columnsDone(level: 3, row: 1).isEmpty && again.totals() == (2, 2, 1))
        let metadata = MBTilesMetadata(
            name: "Town", format: "png", bounds: [1, 2, 3, 4], levels: 3...3, attribution: "us")
        try again.finish(metadata)
        #expect(folder.files == ["a.mbtiles"])
        let file = try MBTilesFile(path: path)
        #expect(try file.metadata == metadata && file.tile(level: 3, column: 1, row: 7) == [2])
        let connection = try SQLiteConnection(path: path, access: .reading)
        // Rows from the bottom, and no table of the job left.
        #expect(try connection.integer("SELECT tile_row FROM tiles WHERE tile_data = x'01'") == 7)
        #expect(try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'portolan%'") == 0)
        #expect(try connection.text("PRAGMA integrity_check") == "ok")
        #expect(try connection.text("SELECT value FROM metadata WHERE name = 'center'") == "2.0,3.0,3")
    }

    @Test func `a second writer gets an error that names the process of the first`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.mbtiles"
        do {
            let writer = try MBTilesWriter(path: path, job: "x")
            for job in ["x", "y"] {
                let error = #expect(throws: ArchiveError.self) { try MBTilesWriter(path: path, job: job) }
                #expect(error?.code == .busy)
                let words = try #require(error?.detail)
                #expect(
                    words.wholeMatch(
                        of: #/process \d+ on .+, since [-\d]+T[:\d]+Z, is writing it; wait until it has finished/#)
                        != nil)
            }
            try writer.write(Self.tiles)
            #expect(folder.files.contains("a.mbtiles.lock"))
        }
        #expect(folder.files == ["a.mbtiles"])
        // The lock of a killed process is released.
        try folder.write(Array("process 1 on moon, since yesterday,".utf8), to: "a.mbtiles.lock")
        let again = try MBTilesWriter(path: path, job: "x")
        try again.finish(MBTilesMetadata(name: "", format: "png", bounds: nil, levels: 3...3, attribution: nil))
        #expect(folder.files == ["a.mbtiles"])
        #expect(try MBTilesWriter(path: path, job: "x").isFinished)
    }

    @Test(
        arguments: [
            ([24.9, 60.1, 25.0, 60.2], 8...14, "24.95,60.15,11"), (nil, 0...3, nil), ([-180, -85, 180, 85], nil, nil),
            ([0.1, 0.1, 0.2, 0.3000001], 5...6, "0.15,0.2,5"),
        ] as [([Double]?, ClosedRange<Int>?, String?)])
    func `the centre is the middle of the bounds at a middle level`(
        bounds: [Double]?, levels: ClosedRange<Int>?, expected: String?
    ) throws {
        let folder = try TemporaryFolder()
        let writer = try MBTilesWriter(path: folder.path + "/a.mbtiles", job: "x")
        try writer.finish(MBTilesMetadata(name: "", format: "png", bounds: bounds, levels: levels))
        let connection = try SQLiteConnection(path: folder.path + "/a.mbtiles", access: .reading)
        #expect(try connection.text("SELECT value FROM metadata WHERE name = 'center'") == expected)
    }

    @Test func `files of another job, finished files and other databases stay unchanged`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.mbtiles"
        do { try MBTilesWriter(path: path, job: "x").write(Self.tiles) }
        #expect(throws: ArchiveError.self) { _ = try MBTilesWriter(path: path, job: "y") }
        try MBTilesWriter(path: path, job: "x").finish(MBTilesMetadata(name: "", format: "png"))
        let whole = try folder.bytes("a.mbtiles")
        let finished = try MBTilesWriter(path: path, job: "x")
        #expect(try finished.isFinished && finished.columnsDone(level: 3, row: 7) == [1])
        #expect(try finished.totals() == (2, 2, 0))
        let error = #expect(throws: ArchiveError.self) { _ = try MBTilesWriter(path: path, job: "y") }
        #expect(error?.code == .otherJob)
        #expect(error?.detail.contains("it is complete, and has another layer") == true)
        // Not even its header: a file with a log needs a folder that can be written to.
        #expect(try folder.bytes("a.mbtiles") == whole && folder.files == ["a.mbtiles"])
        try folder.write(Array(repeating: 0x41, count: 5000), to: "b")
        #expect(throws: ArchiveError.self) { _ = try MBTilesWriter(path: folder.path + "/b", job: "x") }
        #expect(try folder.bytes("b") == Array(repeating: 0x41, count: 5000))
    }

    @Test func `added tiles are written in batches and before any read`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.mbtiles"
        let writer = try MBTilesWriter(path: path, job: "x")
        func written() throws -> Int? {
            try SQLiteConnection(path: path, access: .reading).integer("SELECT count(*) FROM tiles")
        }
        for column in 0..<63 { try writer.add(MBTile(level: 9, column: column, row: 0, bytes: [1])) }
        #expect(try written() == 0)
        try writer.add(MBTile(level: 9, column: 63, row: 0, bytes: [1]))
        #expect(try written() == 64)
        try writer.add(MBTile(level: 9, column: 64, row: 0, bytes: [1]))
        #expect(try written() == 64)
        #expect(try writer.columnsDone(level: 9, row: 0).count == 65 && written() == 65)
        try writer.add(MBTile(level: 9, column: 65, row: 0, bytes: [1]))
        try writer.flush()
        #expect(try written() == 66)
        // What would take much memory does not wait for others.
        try writer.add(MBTile(level: 9, column: 66, row: 0, bytes: [UInt8](repeating: 0, count: 8 << 20)))
        #expect(try written() == 67)
    }

    @Test func `pending tiles are written when the writer is released or finished`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.mbtiles"
        do { try MBTilesWriter(path: path, job: "x").add(Self.tiles[0]) }
        let writer = try MBTilesWriter(path: path, job: "x")
        #expect(try writer.totals().count == 1)
        try writer.add(Self.tiles[2])
        try writer.finish(MBTilesMetadata(name: "", format: "png"))
        #expect(try MBTilesFile(path: path).tile(level: 3, column: 1, row: 7) == [2])
    }
}
#endif
