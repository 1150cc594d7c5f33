<?xml version='1.0' encoding="UTF-8" ?>
<wfs:FeatureCollection
   xmlns:ms="http://mapserver.gis.umn.edu/mapserver"
   xmlns:gml="http://www.opengis.net/gml"
   xmlns:wfs="http://www.opengis.net/wfs"
   xmlns:ogc="http://www.opengis.net/ogc"
   xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
   xsi:schemaLocation="http://mapserver.gis.umn.edu/mapserver http://maps.example/gml?SERVICE=WFS&amp;VERSION=1.1.0&amp;REQUEST=DescribeFeatureType&amp;TYPENAME=cities&amp;OUTPUTFORMAT=text/xml;%20subtype=gml/3.1.1  http://www.opengis.net/wfs http://schemas.opengis.net/wfs/1.1.0/wfs.xsd">
      <gml:boundedBy>
      	<gml:Envelope srsName="EPSG:4326">
      		<gml:lowerCorner>41.013840 28.949660</gml:lowerCorner>
      		<gml:upperCorner>55.752040 37.617810</gml:upperCorner>
      	</gml:Envelope>
      </gml:boundedBy>
    <gml:featureMember>
      <ms:cities gml:id="cities.745044">
        <gml:boundedBy>
        	<gml:Envelope srsName="EPSG:4326">
        		<gml:lowerCorner>41.013840 28.949660</gml:lowerCorner>
        		<gml:upperCorner>41.013840 28.949660</gml:upperCorner>
        	</gml:Envelope>
        </gml:boundedBy>
        <ms:msGeometry>
          <gml:Point srsName="EPSG:4326">
            <gml:pos>41.013840 28.949660</gml:pos>
          </gml:Point>
        </ms:msGeometry>
        <ms:GEONAMEID>745044</ms:GEONAMEID>
        <ms:NAME>Istanbul</ms:NAME>
        <ms:COUNTRY>TR</ms:COUNTRY>
        <ms:POP>15701602</ms:POP>
        <ms:TZ>Europe/Istanbul</ms:TZ>
      </ms:cities>
    </gml:featureMember>
    <gml:featureMember>
      <ms:cities gml:id="cities.524901">
        <gml:boundedBy>
        	<gml:Envelope srsName="EPSG:4326">
        		<gml:lowerCorner>55.752040 37.617810</gml:lowerCorner>
        		<gml:upperCorner>55.752040 37.617810</gml:upperCorner>
        	</gml:Envelope>
        </gml:boundedBy>
        <ms:msGeometry>
          <gml:Point srsName="EPSG:4326">
            <gml:pos>55.752040 37.617810</gml:pos>
          </gml:Point>
        </ms:msGeometry>
        <ms:GEONAMEID>524901</ms:GEONAMEID>
        <ms:NAME>Moscow</ms:NAME>
        <ms:COUNTRY>RU</ms:COUNTRY>
        <ms:POP>10381222</ms:POP>
        <ms:TZ>Europe/Moscow</ms:TZ>
      </ms:cities>
    </gml:featureMember>
    <gml:featureMember>
      <ms:cities gml:id="cities.703448">
        <gml:boundedBy>
        	<gml:Envelope srsName="EPSG:4326">
        		<gml:lowerCorner>50.454660 30.523800</gml:lowerCorner>
        		<gml:upperCorner>50.454660 30.523800</gml:upperCorner>
        	</gml:Envelope>
        </gml:boundedBy>
        <ms:msGeometry>
          <gml:Point srsName="EPSG:4326">
            <gml:pos>50.454660 30.523800</gml:pos>
          </gml:Point>
        </ms:msGeometry>
        <ms:GEONAMEID>703448</ms:GEONAMEID>
        <ms:NAME>Kyiv</ms:NAME>
        <ms:COUNTRY>UA</ms:COUNTRY>
        <ms:POP>2952301</ms:POP>
        <ms:TZ>Europe/Kyiv</ms:TZ>
      </ms:cities>
    </gml:featureMember>
</wfs:FeatureCollection>

