import PortolanFetch
import PortolanGeo
public import PortolanPlan
public import PortolanServices
import PortolanWeb

extension ServiceClient {
    /// The options of an OGC API Features layer.
    public struct CollectionOptions: Hashable, Sendable {
        /// The name of the collection.
        public var collection: String
        /// The CRS to request, in any spelling, or `nil` for longitude and latitude.
        public var crsName: String?
        /// The order of axes in bounding boxes and responses.
        public var axisOrder = WMSOptions.AxisOrderPolicy.auto

        /// Creates a choice.
        public init(collection: String) { self.collection = collection }
    }

    /// The description of an OGC API.
    public struct FeatureCollections: Sendable {
        /// The title of the service, or an empty string.
        public var title = ""
        /// The description of the service, or `nil`.
        public var description: String?
        /// The URIs of the declared conformance classes.
        public var conformance: [String] = []
        /// The collections.
        package var collections: [OGCAPICollection] = []
        /// Warnings about the documents.
        public var warnings: [MapWarning] = []
        /// The base URL of the collections document.
        package var base: BaseURL
    }

    /// Returns the description of an OGC API Features service.
    ///
    /// - Parameter url: the URL of the landing page, the collections or a collection.
    /// - Throws: ``MapError``.
    public func featureCollections(of url: String) async throws(MapError) -> FeatureCollections {
        do { return try await readFeatureCollections(of: url) } catch { throw MapError(error) }
    }

    /// Implements `featureCollections` with the typed error `ServiceError`.
    package func readFeatureCollections(of url: String) async throws(ServiceError) -> FeatureCollections {
        let asked = NamedURL(url, namedBy: origin)
        let (document, base) = try await apiDocument(at: asked)
        var found = FeatureCollections(base: base)
        switch document {
        case .collections(let collections, let warnings):
            found.collections = collections
            found.warnings = warnings
        case .collection(let collection): found.collections = [collection]
        case .conformance:
            throw ServiceError(.ogcAPI(.otherDocument("the conformance classes")), url: url)
        case .landing(let landing):
            found.title = landing.title
            found.description = landing.description
            guard let place = APILocation(base).address(of: landing.links, leadingTo: "data") else {
                throw ServiceError(.ogcAPI(.noLink("the collections")), url: url)
            }
            let (list, listBase) = try await apiDocument(at: place)
            guard case .collections(let collections, let warnings) = list else {
                throw ServiceError(.ogcAPI(.otherDocument("no list of collections")), url: place.text)
            }
            found.collections = collections
            found.warnings = warnings
            found.base = listBase
            if let place = APILocation(base).address(of: landing.links, leadingTo: "conformance"),
                let answer = try? await apiDocument(at: place),
                case .conformance(let classes) = answer.document
            {
                found.conformance = classes
            }
        }
        return found
    }

    func apiDocument(
        at url: NamedURL
    ) async throws(ServiceError) -> (document: OGCAPIDocument, base: BaseURL) {
        do { return try await jsonDocument(at: url) } catch {
            // Some servers answer with HTML if the request does not name a format.
            guard case .otherKind(.page, _) = error.cause else { throw error }
            let json = ServiceURL(url.text).url(with: [("f", "json")], dropping: [])
            return try await jsonDocument(at: NamedURL(json, namedBy: url.origin))
        }
    }

    private func jsonDocument(
        at url: NamedURL
    ) async throws(ServiceError) -> (document: OGCAPIDocument, base: BaseURL) {
        try await document(at: url) { response throws(ServiceError) in
            do throws(OGCAPIError) {
                return (try OGCAPIReader.read(response.body), base(of: response, askedFor: url))
            } catch {
                if case .exception = error { throw ServiceError(.ogcAPI(error), url: url.text, code: .unavailable) }
                guard response.isSuccessful else { throw ServiceError(.status(response.status), url: url.text) }
                if case .otherDocument = error, let kind = AnswerKind(recognizing: response.body) {
                    throw ServiceError(.otherKind(kind, text: ""), url: url.text)
                }
                throw ServiceError(.ogcAPI(error), url: url.text, code: .unreadable)
            }
        }
    }

    /// Creates a layer of the features of a collection.
    ///
    /// Each view fetches the features that it shows.
    ///
    /// - Parameters:
    ///   - name: the name of the layer on the map.
    ///   - url: the URL of the landing page, the collections or the collection.
    ///   - choice: the options of the layer.
    ///   - appearance: how the features are drawn.
    /// - Returns: the layer, and warnings about the documents.
    /// - Throws: ``MapError``.
    public func ogcAPILayer(
        named name: String, url: String, options choice: CollectionOptions,
        appearance: FeatureAppearance = FeatureAppearance()
    ) async throws(MapError) -> (layer: MapLayer, warnings: [MapWarning]) {
        do {
            return try await connectOGCAPI(
                named: name, url: url, options: choice, appearance: appearance)
        } catch { throw MapError(error) }
    }

    /// Implements `ogcAPILayer` with the typed error `ServiceError`.
    package func connectOGCAPI(
        named name: String, url: String, options choice: CollectionOptions,
        appearance: FeatureAppearance = FeatureAppearance()
    ) async throws(ServiceError) -> (layer: MapLayer, warnings: [MapWarning]) {
        let offered = try await readFeatureCollections(of: url)
        guard let collection = offered.collections.first(where: { $0.identifier == choice.collection }) else {
            let names = offered.collections.map(\.identifier)
            let near = NearName.nearest(to: choice.collection, in: names)
            throw ServiceError(
                .ogcAPI(.collectionNotFound(choice.collection, suggestion: near, offers: names)), url: url)
        }
        let request: OGCAPIItemsRequest
        do {
            request = try OGCAPIItemsRequest(
                collection, crsName: choice.crsName, axisOrder: choice.axisOrder, document: offered.base)
        } catch { throw ServiceError(.ogcAPI(error), url: url) }
        let bounds = collection.geographicBox.flatMap { LayerBounds(geographic: $0) }
        return (featureLayer(name, .ogcAPI(request), bounds, appearance), offered.warnings + request.warnings)
    }
}
