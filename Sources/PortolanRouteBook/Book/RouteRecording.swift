import Foundation
public import Portolan
import PortolanArchives
import PortolanFeatures
import PortolanGeo
import PortolanWeb
import PortolanXML

/// A route that is being recorded into a ``RouteBook``.
///
/// It is a GPX 1.1 file in the book's folder that grows by each fix and is on the disk after every ten; a pause of more than
/// a minute begins a new segment. When the process is killed, ``RouteBook/recoverRecordings()`` puts what had been written
/// into the book.
public final class RouteRecording {
    /// The track so far: its length, its time and its fixes.
    public private(set) var track = TrackRecorder()
    /// What the route is called.
    public let name: String

    private let book: RouteBook
    private let path: String
    private let file: FileHandle
    /// Held as long as the recording goes on.
    private let lease: FileLease?
    /// What has come since the last write, and how long the file is without its end.
    private var pending = "", pendingCount = 0
    private var length: UInt64 = 0

    /// How many fixes are written at a time.
    static let batch = 10
    /// The end of each file: it is whole after each write.
    static let end = "  </trkseg>\n </trk>\n</gpx>\n"

    fileprivate init(_ book: RouteBook, named name: String, path: String) throws {
        self.book = book
        self.name = name
        self.path = path
        lease = try FileLease.taken(of: path)
        try Data().write(to: URL(filePath: path))
        file = try FileHandle(forWritingTo: URL(filePath: path))
        var title: [UInt8] = []
        title.append(xml: name)
        pending = """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="Portolan" xmlns="http://www.topografix.com/GPX/1/1">
             <trk><name>\(String(decoding: title, as: UTF8.self))</name>
              <trkseg>

            """
        try write()
    }

    /// Adds a fix, and tells whether it was kept; see ``/Portolan/TrackRecorder/add(_:)``.
    ///
    /// - Throws: ``/Portolan/MapError`` with the code `unreadableFile` when it cannot be written, and `tooLarge` when the file is as
    ///   long as a route may be; what was recorded stays.
    @discardableResult
    public func add(_ fix: PositionFix) throws(MapError) -> Bool {
        let segmentCount = track.segments.count
        guard track.add(fix), let fix = track.segments.last?.last else { return false }
        if segmentCount > 0, track.segments.count > segmentCount { pending += "  </trkseg>\n  <trkseg>\n" }
        pending += "   <trkpt lat=\"\(Self.degrees(fix.place.y))\" lon=\"\(Self.degrees(fix.place.x))\">"
        if let altitude = fix.altitude { pending += "<ele>\(String(format: "%.2f", altitude))</ele>" }
        pending += "<time>\(fix.time.formatted(.iso8601))</time></trkpt>\n"
        pendingCount += 1
        if pendingCount >= Self.batch { try flush() }
        return true
    }

    /// Ends the segment: the next fix begins another.
    public func pause() { track.pause() }

    /// Writes what has come.
    ///
    /// - Throws: ``/Portolan/MapError``.
    public func flush() throws(MapError) {
        guard length + UInt64(pending.utf8.count + Self.end.utf8.count) <= UInt64(RouteBook.maximumByteCount) else {
            throw MapError(.tooLarge, place: name, "a route has at most \(RouteBook.maximumByteCount) bytes")
        }
        do { try write() } catch {
            throw MapError(.unwritableFile, place: path, "it cannot be written: \(error.localizedDescription)")
        }
    }

    /// Ends the recording and puts it into the book; `nil` when no segment has two fixes.
    ///
    /// - Throws: ``/Portolan/MapError``; what was recorded then stays where it is.
    public func finish() throws(MapError) -> RouteSummary? {
        try flush()
        return try book.take(recordingAt: path)
    }

    private func write() throws {
        try file.seek(toOffset: length)
        try file.write(contentsOf: Data((pending + Self.end).utf8))
        try file.synchronize()
        length += UInt64(pending.utf8.count)
        pending = ""
        pendingCount = 0
    }

    /// Degrees to a centimetre, as a decimal number of XML Schema, which has no exponents.
    private static func degrees(_ value: Double) -> String { String(format: "%.7f", value) }
}

extension RouteBook {
    /// Where recordings lie until they are ended.
    private var recordings: String { folder + "/.recordings" }

    /// Begins to record a route.
    ///
    /// - Throws: ``/Portolan/MapError`` when the book cannot be written.
    public func record(named name: String) throws(MapError) -> RouteRecording {
        do {
            try FileManager.default.createDirectory(atPath: recordings, withIntermediateDirectories: true)
            return try RouteRecording(self, named: name, path: recordings + "/\(UUID().uuidString).gpx")
        } catch {
            throw MapError(.unwritableFile, place: folder, "the book cannot be written: \(error.localizedDescription)")
        }
    }

    /// Puts the recordings of processes that were killed into the book, and returns what it is known of them.
    ///
    /// - Throws: ``/Portolan/MapError``.
    public func recoverRecordings() throws(MapError) -> [RouteSummary] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: recordings)) ?? []
        var recovered: [RouteSummary] = []
        for name in names.sorted() where name.hasSuffix(".gpx") {
            // One that another process still writes is its own.
            let path = recordings + "/" + name
            guard let lease = try? FileLease.taken(of: path) else { continue }
            let summary = try withExtendedLifetime(lease) { () throws(MapError) in
                try take(recordingAt: path)
            }
            if let summary { recovered.append(summary) }
        }
        return recovered
    }

    /// Puts a recording into the book, and takes its file away; what follows its last whole point is cut off.
    fileprivate func take(recordingAt path: String) throws(MapError) -> RouteSummary? {
        let summary = try summary(ofRecordingAt: path)
        try? FileManager.default.removeItem(atPath: path)
        return summary
    }

    private func summary(ofRecordingAt path: String) throws(MapError) -> RouteSummary? {
        let limit = Self.maximumByteCount + RouteRecording.end.utf8.count
        guard let bytes = try? LocalFile(at: path).start(limit) else {
            throw MapError(.unreadableFile, place: path, "the recording cannot be read")
        }
        let data = Data(bytes)
        guard let last = data.range(of: Data("</trkpt>\n".utf8), options: .backwards)?.upperBound else { return nil }
        let document = Array(bytes[..<last]) + Array(RouteRecording.end.utf8), collection: FeatureCollection
        do { collection = try self.collection(document, from: path) } catch {
            // Single points are no line.
            guard error.code == .nothingFound else { throw error }
            return nil
        }
        return try add(document, of: collection, named: nil, from: RouteSource(file: "recorded"))
    }
}
