-- Saved views: addresses of lists under a name, of an account, and of a group where it shares them.
create table visoes (
  id integer generated always as identity not null,
  usuario_id integer not null,
  grupo_id integer,
  tela text not null,
  nome text not null,
  consulta text not null,
  criado_em timestamp with time zone not null,
  constraint visoes__pk primary key (id),
  constraint visoes__nome__unique unique (usuario_id, tela, nome),
  constraint visoes__usuario__exists foreign key (usuario_id) references usuarios (id) on delete cascade,
  constraint visoes__grupo__exists foreign key (grupo_id) references grupos (id) on delete set null
);
create index visoes__grupo on visoes (grupo_id) where grupo_id is not null;
