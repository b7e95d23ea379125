-- 7hgdkwch58
BEGIN TRANSACTION;
CREATE TABLE beats (
	process VARCHAR(64) NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (process)
);
CREATE TABLE drafts (
	table_id VARCHAR(32) NOT NULL, 
	seat INTEGER NOT NULL, 
	text VARCHAR(2000) NOT NULL, 
	PRIMARY KEY (table_id, seat), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
CREATE TABLE events (
	table_id VARCHAR(32) NOT NULL, 
	version INTEGER NOT NULL, 
	at FLOAT NOT NULL, 
	seat INTEGER, 
	command_id VARCHAR(64), 
	command TEXT NOT NULL, 
	body TEXT NOT NULL, 
	PRIMARY KEY (table_id, version), 
	UNIQUE (table_id, seat, command_id), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "events" VALUES('7hgdkwch58',0,1.79605337946091747286e+09,NULL,NULL,'','{"kind":"opened","spec":"tictactoe:shape=3x3,line=3,misere=false,gravity=false,marks=own,boards=1,exact=false,claim=false","setup":null,"version":"0.1.0","house":{"check":true,"assist":"off"},"position":"","clock":null,"hints":false,"series":"","round":1,"rounds":0,"tally":[],"race":""}');
INSERT INTO "events" VALUES('7hgdkwch58',1,1.79605337946443295474e+09,0,'t0','take 0','{"kind":"seated","seat":0,"name":"Player 0","token_hash":"1ba74082dfbe65bdf932b06f5b183e32b27300a85da2839f07bacbef6a7ac23e","level":null,"sign":"","owner":""}');
INSERT INTO "events" VALUES('7hgdkwch58',2,1.79605337946842551232e+09,1,'t1','take 1','{"kind":"seated","seat":1,"name":"Player 1","token_hash":"4d599c10fb8120a076107d9145d62a304fb6f340d75a8239cadb5b4e4c99862a","level":null,"sign":"","owner":""}');
INSERT INTO "events" VALUES('7hgdkwch58',3,1.79605337946965861318e+09,0,'m0','play 0 b2','{"kind":"moved","seat":0,"move":"b2","told":[],"spent":null}');
INSERT INTO "events" VALUES('7hgdkwch58',4,1.79605337947076892845e+09,1,'m1','play 3 a1','{"kind":"moved","seat":1,"move":"a1","told":[],"spent":null}');
INSERT INTO "events" VALUES('7hgdkwch58',5,1.79605337947194814676e+09,0,'m2','play 4 c3','{"kind":"moved","seat":0,"move":"c3","told":[],"spent":null}');
CREATE TABLE outages (
	began FLOAT NOT NULL, 
	ended FLOAT NOT NULL, 
	PRIMARY KEY (began)
);
CREATE TABLE places (
	owner VARCHAR(64) NOT NULL, 
	table_id VARCHAR(32) NOT NULL, 
	seat INTEGER NOT NULL, 
	name VARCHAR(64) NOT NULL, 
	PRIMARY KEY (table_id, seat), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
CREATE TABLE races (
	race VARCHAR(32) NOT NULL, 
	table_id VARCHAR(32) NOT NULL, 
	PRIMARY KEY (race, table_id), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
CREATE TABLE tables (
	id VARCHAR(32) NOT NULL, 
	spec VARCHAR(4000) NOT NULL, 
	version INTEGER NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	to_move INTEGER, 
	due FLOAT, 
	leased_by VARCHAR(64), 
	leased_until FLOAT, 
	opened_at FLOAT NOT NULL, 
	changed_at FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "tables" VALUES('7hgdkwch58','tictactoe:shape=3x3,line=3,misere=false,gravity=false,marks=own,boards=1,exact=false,claim=false',5,'running',1,NULL,NULL,NULL,1.79605337946091747286e+09,1.79605337947194814676e+09);
CREATE INDEX tables_due ON tables (due) WHERE due IS NOT NULL;
CREATE INDEX ix_places_owner ON places (owner);
COMMIT;
