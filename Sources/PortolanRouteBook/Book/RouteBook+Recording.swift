import Foundation
public import Portolan
import PortolanArchives
import PortolanFeatures
import PortolanGeo
import PortolanWeb
import PortolanXML

extension RouteBook {
    /// A recording of a route into a ``RouteBook``.
    ///
    /// The recording is a GPX 1.1 file in the book's folder that is written to the disk after every ten fixes. A pause of
    /// more than a minute starts a new segment. If the process is killed, ``RouteBook/recoverRecordings()`` adds the
    /// written part to the book.
    public final class Recording {
        /// The track so far, with its length and duration.
        public private(set) var track = TrackRecorder()
        /// The name of the route.
        public let name: String

        private let book: RouteBook
        private let path: String
        private let file: FileHandle
        /// A lock that is held while recording.
        private let lease: FileLease?
        /// The text that has not been written yet, and its number of fixes.
        private var pending = "", pendingCount = 0
        private var length: UInt64 = 0

        /// The number of fixes that are written at once.
        static let batch = 10
        /// The end of the file, which is written every time, so that the file is always complete.
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

        /// Adds a fix, and returns whether it was kept; see ``/Portolan/TrackRecorder/add(_:)``.
        ///
        /// - Throws: ``/Portolan/MapError`` with the code `unwritableFile` if writing fails, or `tooLarge` if the file
        ///   reaches the maximum size of a route. The recorded part is kept.
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

        /// Ends the segment.
        ///
        /// The next fix starts a new one.
        public func pause() { track.pause() }

        /// Writes the pending fixes.
        ///
        /// - Throws: ``/Portolan/MapError``.
        public func flush() throws(MapError) {
            guard length + UInt64(pending.utf8.count + Self.end.utf8.count) <= UInt64(RouteBook.maximumByteCount) else {
                throw MapError(.tooLarge, place: name, "a route can have at most \(RouteBook.maximumByteCount) bytes")
            }
            do { try write() } catch {
                throw MapError(.unwritableFile, place: path, "cannot write it: \(error.localizedDescription)")
            }
        }

        /// Ends the recording and adds it to the book.
        ///
        /// Returns `nil` if no segment has two fixes.
        ///
        /// - Throws: ``/Portolan/MapError``. The recording file is then kept.
        public func finish() throws(MapError) -> RouteBook.Summary? {
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

        /// Formats degrees with seven decimals (about a centimetre) and without exponents, which XML Schema decimals do not
        /// allow.
        private static func degrees(_ value: Double) -> String { String(format: "%.7f", value) }
    }
}

extension RouteBook {
    /// The folder of unfinished recordings.
    private var recordings: String { folder + "/.recordings" }

    /// Starts recording a route.
    ///
    /// - Throws: ``/Portolan/MapError`` if the book cannot be written.
    public func record(named name: String) throws(MapError) -> RouteBook.Recording {
        do {
            try FileManager.default.createDirectory(atPath: recordings, withIntermediateDirectories: true)
            return try RouteBook.Recording(self, named: name, path: recordings + "/\(UUID().uuidString).gpx")
        } catch {
            throw MapError(.unwritableFile, place: folder, "cannot write the book: \(error.localizedDescription)")
        }
    }

    /// Adds the recordings of killed processes to the book, and returns their summaries.
    ///
    /// - Throws: ``/Portolan/MapError``.
    public func recoverRecordings() throws(MapError) -> [RouteBook.Summary] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: recordings)) ?? []
        var recovered: [RouteBook.Summary] = []
        for name in names.sorted() where name.hasSuffix(".gpx") {
            // A locked recording is still being written by another process.
            let path = recordings + "/" + name
            guard let lease = try? FileLease.taken(of: path) else { continue }
            let summary = try withExtendedLifetime(lease) { () throws(MapError) in
                try take(recordingAt: path)
            }
            if let summary { recovered.append(summary) }
        }
        return recovered
    }

    /// Adds a recording to the book and deletes its file.
    ///
    /// Data after the last complete point are discarded.
    fileprivate func take(recordingAt path: String) throws(MapError) -> RouteBook.Summary? {
        let summary = try summary(ofRecordingAt: path)
        try? FileManager.default.removeItem(atPath: path)
        return summary
    }

    private func summary(ofRecordingAt path: String) throws(MapError) -> RouteBook.Summary? {
        let limit = Self.maximumByteCount + RouteBook.Recording.end.utf8.count
        guard let bytes = try? LocalFile(at: path).start(limit) else {
            throw MapError(.unreadableFile, place: path, "cannot read the recording")
        }
        let data = Data(bytes)
        guard let last = data.range(of: Data("</trkpt>\n".utf8), options: .backwards)?.upperBound else { return nil }
        let document = Array(bytes[..<last]) + Array(RouteBook.Recording.end.utf8), collection: FeatureCollection
        do { collection = try self.collection(document, from: path) } catch {
            // Single points do not form a line.
            guard error.code == .nothingFound else { throw error }
            return nil
        }
        return try add(document, of: collection, named: nil, from: RouteBook.Source(file: "recorded"))
    }
}
