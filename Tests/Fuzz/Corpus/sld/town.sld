<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.1.0" xmlns="http://www.opengis.net/sld" xmlns:se="http://www.opengis.net/se" xmlns:ogc="http://www.opengis.net/ogc">
<NamedLayer><se:Name>town</se:Name><UserStyle><se:Name>day</se:Name><IsDefault>1</IsDefault><se:FeatureTypeStyle>
<se:Rule><se:Name>parks</se:Name><ogc:Filter><ogc:And><ogc:PropertyIsEqualTo><ogc:PropertyName>class</ogc:PropertyName><ogc:Literal>park</ogc:Literal></ogc:PropertyIsEqualTo>
<ogc:PropertyIsBetween><ogc:PropertyName>rank</ogc:PropertyName><ogc:LowerBoundary><ogc:Literal>1</ogc:Literal></ogc:LowerBoundary><ogc:UpperBoundary><ogc:Literal>5</ogc:Literal></ogc:UpperBoundary></ogc:PropertyIsBetween></ogc:And></ogc:Filter>
<se:MinScaleDenominator>1000</se:MinScaleDenominator><se:MaxScaleDenominator>5e8</se:MaxScaleDenominator>
<se:PolygonSymbolizer><se:Fill><se:SvgParameter name="fill">#cdebb0</se:SvgParameter><se:SvgParameter name="fill-opacity">0.8</se:SvgParameter></se:Fill><se:Stroke/></se:PolygonSymbolizer>
<se:PointSymbolizer><se:Graphic><se:Mark><se:WellKnownName>star</se:WellKnownName><se:Fill/></se:Mark><se:Size>12</se:Size></se:Graphic></se:PointSymbolizer></se:Rule>
<se:Rule><se:ElseFilter/><se:LineSymbolizer uom="http://www.opengeospatial.org/se/units/metre"><se:Stroke><se:SvgParameter name="stroke-width"><ogc:Mul><ogc:PropertyName>lanes</ogc:PropertyName><ogc:Literal>3</ogc:Literal></ogc:Mul></se:SvgParameter></se:Stroke></se:LineSymbolizer>
<se:TextSymbolizer><se:Label>a <ogc:PropertyName>name</ogc:PropertyName></se:Label><se:LabelPlacement><se:LinePlacement/></se:LabelPlacement><se:Halo/></se:TextSymbolizer></se:Rule>
</se:FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>
