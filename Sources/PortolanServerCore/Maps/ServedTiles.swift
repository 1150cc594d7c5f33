/// Tiles that a server sends as data.
package enum ServedTiles: Sendable {
    /// Those of an archive of a map.
    case archive(ServedArchive, PublishedMap)
    /// Vector tiles of feature layers.
    case features(ServedFeatures)
}
