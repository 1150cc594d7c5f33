package import Portolan
import PortolanFeatures
import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanText
import PortolanWeb

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The source of a published map: a document, layer specifications, or both.
package struct MapSource: Hashable, Sendable {
    /// The name in URLs.
    package var name: String
    /// The display title, or `nil` for the name.
    package var title: String?
    /// The path of a map document, or `nil`.
    package var document: String?
    /// Layer specifications as for the `-l` option of the command, above those of the document.
    package var layers: [String] = []
    /// The base folder for relative paths in ``layers``, or `nil` for the current folder.
    package var folder: String?
    /// The range of zoom levels of its tiles.
    package var zooms = 0...22
    /// The time in seconds that shared caches may reuse a picture.
    package var maximumAge = 3600
    /// The keys that open the map, or `nil` if it is open to all clients.
    package var keys: AccessKeys?
    /// Whether the map is left out if it cannot be opened.
    package var isOptional = false

    /// Creates a source.
    package init(name: String, document: String? = nil, layers: [String] = []) {
        self.name = name
        self.document = document
        self.layers = layers
    }

    /// Returns whether a text is a valid map name in URLs.
    package static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text != "." && text != ".."
            && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-._".utf8.contains($0) }
    }
}

/// The reason why a map cannot be published.
package struct MapBookError: Error, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Cause: Sendable {
        /// The name is not valid in URLs.
        case name
        /// Another map has the same name.
        case duplicate
        /// The map has no layer.
        case empty
        /// The document cannot be read.
        case document(MapError)
        /// A layer cannot be created.
        case layer(MapError)
    }

    /// The name of the map.
    package let map: String
    /// The kind of failure.
    package let cause: Cause

    /// The error message, one line.
    package var description: String {
        switch cause {
        case .name: "map '\(map)': a name must have 1 to 64 letters, digits, '-', '_' and '.'"
        case .duplicate: "map '\(map)': duplicate name"
        case .empty: "map '\(map)': no layer; add a document or layers"
        case .document(let error), .layer(let error): "map '\(map)': \(error.sentence)"
        }
    }
}

extension MapBook {
    /// Opens maps: reads their documents and files, and fetches the capabilities of their services.
    ///
    /// A layer whose service is unreachable is left out, with a warning of the map.
    ///
    /// - Parameters:
    ///   - configuration: how maps fetch and decode; each picture is painted by one thread.
    ///   - file: the file that lists the sources, or `nil` if they come from no file.
    ///   - sprites: the folders of icons to serve, by identifier.
    /// - Throws: ``MapBookError`` for the first map that cannot be published.
    package static func open(
        _ sources: [MapSource], configuration: RendererConfiguration, file: String? = nil,
        sprites: [String: SpriteFolder] = [:]
    ) async throws(MapBookError) -> MapBook {
        var maps: [PublishedMap] = [], files = [file].compactMap(\.self), fonts: [FontSource] = []
        var skipped: [MapBookError] = []
        for source in sources {
            guard MapSource.isName(source.name) else { throw MapBookError(map: source.name, cause: .name) }
            guard !maps.contains(where: { $0.name == source.name }) else {
                throw MapBookError(map: source.name, cause: .duplicate)
            }
            do throws(MapBookError) { maps.append(try await map(source, configuration, &files, &fonts)) } catch {
                guard source.isOptional else { throw error }
                skipped.append(error)
            }
        }
        // Workers with the same files get the same number. Without files it is the time of opening.
        let newest = files.compactMap(modificationTime).max() ?? Date().timeIntervalSince1970
        for font in configuration.fonts where !fonts.contains(font) { fonts.append(font) }
        var book = MapBook(
            maps, sequence: Int(newest),
            fonts: FontBook(fonts: fonts, usesSystemFonts: configuration.usesSystemFonts), sprites: sprites)
        book.files = Set(files)
        book.skipped = skipped
        return book
    }

    /// Returns the modification time of a file in seconds since 1970, or `nil` if it is missing.
    package static func modificationTime(_ path: String) -> Double? {
        let path = URL(filePath: path).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.modificationDate] as? Date)?.timeIntervalSince1970
    }

    /// Opens a map.
    ///
    /// - Parameters:
    ///   - files: receives the paths of the files that the map consists of.
    ///   - fonts: receives the fonts of the map.
    private static func map(
        _ source: MapSource, _ configuration: RendererConfiguration, _ files: inout [String],
        _ fonts: inout [FontSource]
    ) async throws(MapBookError) -> PublishedMap {
        func failure(_ cause: MapBookError.Cause) -> MapBookError { MapBookError(map: source.name, cause: cause) }
        var document = MapDocument()
        if let path = source.document {
            files.append(path)
            do { document = try MapDocument(path: path, kinds: configuration.layerKinds) } catch {
                throw failure(.document(error))
            }
        }
        var specifications = document.layers
        for text in source.layers {
            do throws(MapError) {
                let layer = try LayerSpecification(text, kinds: configuration.layerKinds)
                specifications.append(
                    try source.folder.map { (folder) throws(MapError) in try layer.standing(in: folder) } ?? layer)
            } catch { throw failure(.layer(error)) }
        }
        specifications.removeAll { (try? $0.isVisible) == false }
        guard !specifications.isEmpty else { throw failure(.empty) }
        files += specifications.map(\.source).filter(FileAddress.isLocal)
        var own = configuration
        own.paintingThreadCount = 1
        own.fonts = document.fonts.map(\.source) + configuration.fonts
        for font in own.fonts where !fonts.contains(font) { fonts.append(font) }
        var reading = own
        let readings = DocumentReadings()
        reading.readings = readings
        let client = ServiceClient(configuration: reading)
        let built: [LayerBuilder.Built]
        do {
            built = try await LayerBuilder(client: client, mapCRS: document.view.mapCRS).build(specifications)
        } catch { throw failure(.layer(error)) }
        for layer in built { own.layerCacheRules[layer.name] = layer.cacheRule }
        let layers = built.compactMap(\.layer)
        let missing = built.compactMap { layer in
            layer.failure.map {
                MapWarning(.service, layer: layer.name, effect: .omitted, message: "left out: \($0.sentence)")
            }
        }
        let content = MapContent(specifications, document, built, readings)
        files += content.paths
        var map = PublishedMap(
            name: source.name, title: source.title ?? source.name, layers: layers,
            placesLabels: layers.contains(where: \.placesLabels), crs: document.view.mapCRS, view: document.view,
            bounds: bounds(of: layers), renderer: MapRenderer(configuration: own),
            revision: content.revision, isChanging: content.isChanging, isExact: content.isExact, files: content.files,
            zooms: source.zooms, maximumAge: source.maximumAge,
            warnings: document.warnings + built.flatMap(\.warnings) + missing,
            archives: ServedArchive.all(of: layers, by: TileArchives(configuration.tileArchives)), keys: source.keys)
        map.warnings += ServedStyle(map)?.spriteWarnings ?? []
        return map
    }

    /// Returns the extent of the content of layers in degrees, or `nil` if the extent of one is unknown.
    private static func bounds(of layers: [MapLayer]) -> Extent? {
        var all: Extent?
        for layer in layers {
            var own: Extent?
            if layer.hasFeatures {
                guard let box = try? MapLayer.boundingBox(of: [layer], in: .crs84) else { continue }
                own = LayerBounds(geographic: box)?.extent
            } else {
                own = (layer.bounds ?? layer.source.bounds)?.extent(in: .crs84)
            }
            guard let own else { return nil }
            all = all?.union(own) ?? own
        }
        return all
    }
}
