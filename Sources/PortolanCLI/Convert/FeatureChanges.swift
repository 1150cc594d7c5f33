import PortolanFeatures
import PortolanStyles
import PortolanWeb

/// The changes of features before they are written, in the order of these values.
struct FeatureChanges: Sendable {
    /// The order of features.
    struct Order: Sendable {
        var property: String
        var isDescending: Bool
    }

    /// The rows that are added to features.
    var join: FeatureJoin?
    /// The filter of features.
    var filter: StyleExpression?
    /// The area outside which nothing remains.
    var clip: ClipSource?
    /// The property whose values decide which polygons are merged.
    var dissolved: String?
    /// The extent to which lines and borders are simplified.
    var simplification: Simplification?
    /// Whether shapes are replaced by their centroids.
    var hasCentroids = false
    /// The order of features.
    var order: Order?
    /// The properties that remain.
    var selected: [String]?

    /// Whether each feature is changed regardless of the others.
    var isFeatureByFeature: Bool {
        join == nil && dissolved == nil && simplification == nil && order == nil && selected == nil
    }

    /// Returns the changed features, with warnings about changes without effect.
    func apply(to collection: FeatureCollection) throws(CommandFailure) -> FeatureCollection {
        var changed = collection
        func note(_ message: String) {
            changed.warnings.append(MapWarning(.data, effect: .note, message: message))
        }
        if let join { changed.join(join) }
        if let filter {
            let known = changed.propertyNames
            for name in (filter.propertyNames ?? []).sorted() where !known.contains(name) && !changed.features.isEmpty {
                note("--filter: \(UnknownPropertyError(name: name, known: known))")
            }
            let isEmpty = changed.features.isEmpty
            changed = changed.filtered(by: filter)
            if changed.features.isEmpty, !isEmpty { note("--filter accepts no feature") }
        }
        if let clip {
            let isEmpty = changed.features.isEmpty
            let area = try clip.area(in: changed.effectiveCRS)
            do { changed = try changed.clipped(to: area) } catch { throw CommandFailure(.badData, "\(error)") }
            // Perhaps nothing outside was read.
            if changed.features.isEmpty, !isEmpty || collection.features.isEmpty {
                note("nothing is inside --clip; check its CRS and the order of its numbers")
            }
        }
        if let dissolved {
            do throws(UnknownPropertyError) { try changed.check([dissolved]) } catch {
                throw CommandFailure(.usage, "--dissolve: \(error)")
            }
            do { changed = try changed.dissolved(by: dissolved) } catch { throw CommandFailure(.badData, "\(error)") }
        }
        if let simplification { changed = changed.simplified(simplification) }
        if hasCentroids { changed = changed.centroids() }
        if let order {
            do { changed = try changed.sorted(by: order.property, descending: order.isDescending) } catch {
                throw CommandFailure(.usage, "--sort: \(error)")
            }
        }
        if let selected {
            do { changed = try changed.selecting(selected) } catch {
                throw CommandFailure(.usage, "--select: \(error)")
            }
        }
        return changed
    }
}
