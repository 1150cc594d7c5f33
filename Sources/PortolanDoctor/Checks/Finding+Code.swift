extension Finding {
    /// The kind of a finding; the raw values are stable.
    ///
    /// Later versions may add codes.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        // The document.
        /// The document is not available or not readable.
        case documentUnreadable = "document-unreadable"
        /// A byte order mark precedes the XML declaration.
        case byteOrderMark = "byte-order-mark"
        /// The XML declaration is missing.
        case declarationMissing = "declaration-missing"
        /// The encoding declared in the document and the one in the header differ.
        case encodingContradiction = "encoding-contradiction"
        /// The markup has an error that could be ignored.
        case markupOdd = "markup-odd"
        /// The version allows no document type declaration.
        case doctypeUnexpected = "doctype-unexpected"
        /// The root element is not that of the version.
        case rootElement = "root-element"
        /// The namespace is not that of the version.
        case namespaceWrong = "namespace-wrong"
        /// The version is missing or unknown.
        case versionUnreadable = "version-unreadable"
        /// The version of the response violates the negotiation rules.
        case versionNegotiation = "version-negotiation"
        /// The media type in the header does not match the document.
        case contentType = "content-type"
        /// The schema does not allow an element at its position.
        case elementMisplaced = "element-misplaced"
        /// A value does not have the format of its schema.
        case valueMalformed = "value-malformed"
        /// Parts of the document were ignored.
        case documentOdd = "document-odd"

        // Addresses and operations.
        /// A required operation, or its URL, is missing.
        case operationMissing = "operation-missing"
        /// A URL is invalid.
        case addressInvalid = "address-invalid"
        /// A URL refers to the service's own network.
        case addressInternal = "address-internal"
        /// A URL refers to another host.
        case addressOtherHost = "address-other-host"
        /// A URL is http although the service was requested over https.
        case addressInsecure = "address-insecure"
        /// A URL has no end to which parameters can be appended.
        case addressPrefix = "address-prefix"
        /// The Post URL precedes the Get URL.
        case postFirst = "post-first"
        /// No format is listed, or not the one that all clients can read.
        case formatMissing = "format-missing"
        /// The exception format required by the version is not listed.
        case exceptionFormatMissing = "exception-format-missing"
        /// A limit is not a number, or too low for most clients.
        case limitTight = "limit-tight"

        // Layers.
        /// No layer can be requested.
        case layersMissing = "layers-missing"
        /// A layer has no title.
        case titleMissing = "title-missing"
        /// A name is duplicated.
        case nameTwice = "name-twice"
        /// A layer has no coordinate system.
        case crsMissing = "crs-missing"
        /// The name of a coordinate system is invalid.
        case crsMalformed = "crs-malformed"
        /// A coordinate system is not in Portolan's catalogue.
        case crsUnknown = "crs-unknown"
        /// A coordinate system is listed twice.
        case crsTwice = "crs-twice"
        /// A layer has no geographic extent.
        case geographicBoxMissing = "geographic-box-missing"
        /// A geographic box is invalid.
        case geographicBoxUnusable = "geographic-box-unusable"
        /// A geographic box has no area.
        case geographicBoxFlat = "geographic-box-flat"
        /// A geographic box exceeds the world.
        case geographicBoxBeyondWorld = "geographic-box-beyond-world"
        /// A bounding box is invalid.
        case boundingBoxUnusable = "bounding-box-unusable"
        /// A layer has two bounding boxes in one coordinate system.
        case boundingBoxTwice = "bounding-box-twice"
        /// A bounding box has swapped axes.
        case boundingBoxAxes = "bounding-box-axes"
        /// A bounding box contradicts the geographic box.
        case boundingBoxElsewhere = "bounding-box-elsewhere"
        /// The scale limits exclude all scales, or contradict each other.
        case scalesContradict = "scales-contradict"
        /// A scale hint looks like a denominator.
        case scaleHintUnit = "scale-hint-unit"
        /// A style has no name or no title.
        case styleIncomplete = "style-incomplete"
        /// A style has no legend.
        case legendMissing = "legend-missing"
        /// Layers are queryable, but there is no operation for it.
        case queryableWithoutOperation = "queryable-without-operation"

        // Tiles.
        /// Tile sets are listed only if a special parameter requests them.
        case tileSetsHidden = "tile-sets-hidden"
        /// Tiles of a set, counted as recommended, are refused.
        case tileSetRefused = "tile-set-refused"
        /// Maps that are not tiles of the service's sets are refused.
        case tilesAlone = "tiles-alone"
        /// A layer refers to an unknown matrix set.
        case matrixSetMissing = "matrix-set-missing"
        /// Matrices are not ordered from coarsest to finest.
        case matrixOrder = "matrix-order"
        /// Scale denominators are not for pixels of 0.28 mm.
        case scaleDenominatorUnit = "scale-denominator-unit"
        /// The corners of matrices have swapped axes.
        case cornerAxes = "corner-axes"
        /// The limits of a matrix set contradict it.
        case limitsContradict = "limits-contradict"
        /// A URL template cannot be expanded.
        case templateUnusable = "template-unusable"
        /// Two encodings of a tile request return different tiles.
        case encodingsDiffer = "encodings-differ"

        // Tile archives and vector tiles.
        /// The directories of an archive cannot be read.
        case archiveDamaged = "archive-damaged"
        /// A tile is damaged, or of another kind than stated.
        case tileUnreadable = "tile-unreadable"
        /// A tile is so large that clients draw it slowly.
        case tileLarge = "tile-large"
        /// The stated number of tiles is wrong.
        case tileCount = "tile-count"
        /// A stated level has no tiles, or the levels are not stated.
        case levelEmpty = "level-empty"
        /// The tiles of an archive are not in the order of their numbers.
        case notClustered = "not-clustered"
        /// An image has strips instead of tiles.
        case notTiled = "not-tiled"
        /// An image lacks overviews for small pictures.
        case overviewsMissing = "overviews-missing"
        /// The directories of an image are not at the beginning, the finest first.
        case directoriesOrder = "directories-order"
        /// The blocks of an image are not behind the directories, the coarsest first.
        case blocksOrder = "blocks-order"
        /// An image declares a structure that it does not have.
        case structureUntrue = "structure-untrue"
        /// Layers of vector tiles are not described.
        case layersUndescribed = "layers-undescribed"

        // Features.
        /// Offered features are not returned, or are invalid.
        case featuresRefused = "features-refused"
        /// More features were returned than requested.
        case countIgnored = "count-ignored"
        /// The service has no paging: features beyond its limit are not available.
        case pagesMissing = "pages-missing"
        /// The next page fails, or its URL is not allowed.
        case pageRefused = "page-refused"
        /// The next page repeats features of the previous one.
        case pagesRepeat = "pages-repeat"
        /// A box around a feature does not find it.
        case boxMisses = "box-misses"
        /// A box finds its features only with swapped axes.
        case boxAxes = "box-axes"
        /// Features have swapped axes.
        case featureAxes = "feature-axes"
        /// Features are elsewhere than stated, or elsewhere in another coordinate system.
        case featuresElsewhere = "features-elsewhere"
        /// A response in a requested coordinate system does not name it.
        case contentCRSMissing = "content-crs-missing"
        /// Conformance to the standard is not declared.
        case conformanceMissing = "conformance-missing"

        // Responses of the service.
        /// An offered map, tile or legend fails.
        case pictureRefused = "picture-refused"
        /// An image has another format than requested.
        case pictureFormat = "picture-format"
        /// The declared type of an image does not match its bytes.
        case pictureType = "picture-type"
        /// An image has another size than requested.
        case pictureSize = "picture-size"
        /// An image has a single colour, but others of the same area do not.
        case pictureBlank = "picture-blank"
        /// Images of the same area differ.
        case picturesDiffer = "pictures-differ"
        /// An exception does not have the format of the version.
        case exceptionShape = "exception-shape"
        /// An exception has no code, or not that of the standard.
        case exceptionCode = "exception-code"
        /// An exception has an unusual declared type or status.
        case exceptionType = "exception-type"
        /// A GetFeatureInfo request fails.
        case featureInfoRefused = "feature-info-refused"
    }
}
