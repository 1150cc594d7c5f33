package import Portolan
import PortolanCity

#if GDAL
import PortolanGDAL
#endif

#if PostGIS
import PortolanPostGIS
#endif

extension RendererConfiguration {
    /// The configuration of both commands, with all layer kinds of this package.
    package static let command: RendererConfiguration = {
        var configuration = RendererConfiguration()
        configuration.layerKinds.kinds += LayerKinds.city.kinds
        #if GDAL
        configuration.addGDAL()
        #endif
        #if PostGIS
        configuration.addPostGIS()
        #endif
        return configuration
    }()
}

extension LayerKinds {
    /// The layer kinds of both commands.
    package static let command = RendererConfiguration.command.layerKinds
}

extension LayerSpecification.Parts {
    /// The parts of an argument in the layer notation with a kind, or `nil` for a plain source.
    static func argument(_ text: String) throws(CommandFailure) -> LayerSpecification.Parts? {
        try CommandFailure.layer { () throws(MapError) in try ofKind(text, .command) }
    }
}
